import { parseIsoTime } from '#core/verification/iso-time.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken } from '../../../kit/finding.ts'
import { allHeld } from '../flow/all-held.ts'
import { judgeCredential } from '../flow/judge-credential.ts'
import { obtainCredential } from '../flow/obtain-credential.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** Nothing in the documents speaks of the beginning. */
const rulesOfBeginning = ['credential.not-before', 'credential.issued-at']

export const check = defineCheck<IssuerContext>({
  id: 'I59',
  title: 'The credential is valid now, and says so twice alike',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5'],
  clauses: ['RFC 7519, 4.1'],
  description:
    'Some verifiers look at the claims of the JWT, others at the credential in it: both have to see the same period.',
  sends: 'Takes an offer as documented.',
  decides:
    'now is before validUntil, and before exp where it is there. That validFrom, nbf or iat lie ahead is a WARN, and so is that exp and validUntil, or nbf and validFrom, differ by more than a second.',
  async run(context) {
    const credential = await obtainCredential(context)
    const judge = (isAbout: (rule: string) => boolean) =>
      judgeCredential(context, credential, isAbout)
    const end = await judge((rule) => rule === 'credential.expiry')
    if (end.kind !== 'held') return end
    const beginning = await judge((rule) => rulesOfBeginning.includes(rule))
    if (beginning.kind !== 'held') return { ...beginning, level: 'practice' }
    const { vc, jws } = credential
    const pairs = [
      ['exp', 'validUntil'],
      ['nbf', 'validFrom'],
    ] as const
    for (const [claim, member] of pairs) {
      const seconds = jws.payload[claim]
      const time = parseIsoTime(vc[member])
      if (typeof seconds !== 'number' || time === undefined) continue
      if (Math.abs(seconds - time) <= 1) continue
      return broken(`${claim} and ${member} do not agree.`, {
        expected: vc[member],
        actual: new Date(seconds * 1000).toISOString(),
        verdictSource: 'the credential',
        level: 'practice',
      })
    }
    return allHeld([end, beginning])
  },
})
