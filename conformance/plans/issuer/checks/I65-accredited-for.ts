import { typeChainOf } from '#wallet-emulator/actions/type-chain-of.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { inconclusive } from '../../../kit/finding.ts'
import { judgeCredential } from '../flow/judge-credential.ts'
import { obtainCredential } from '../flow/obtain-credential.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I65',
  title: 'The accreditation covers the type that is issued',
  level: 'practice',
  expectation: 'advice',
  description:
    'An accreditation names the types that it is for. Verifiers that look refuse what was issued beyond it.',
  sends: 'Takes an offer as documented.',
  decides: 'accreditedFor in each accreditation up to the root has the type of the credential.',
  needs: ['trust'],
  async run(context) {
    const credential = await obtainCredential(context)
    const { type } = credential.vc
    if (!Array.isArray(type)) return inconclusive('The credential has no type: see I56.')
    const isAbout = (rule: string) => rule === 'trust.accredited-for'
    const offered = typeChainOf(credential.entry)
    const types = type.includes(offered.at(-1)) ? offered : type
    return judgeCredential(context, credential, isAbout, types)
  },
})
