import { requireJson } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { held } from '../../../kit/finding.ts'
import { accreditationAddress } from '../flow/accreditation-address.ts'
import { allHeld } from '../flow/all-held.ts'
import { judgeCredential } from '../flow/judge-credential.ts'
import { obtainCredential } from '../flow/obtain-credential.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I60',
  title: "termsOfUse points to the issuer's accreditation in the TIR of the environment",
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
    '1.errors.13',
  ],
  description:
    'Verifiers fetch no other address: with that of another environment, or of nothing, the issuer is not accredited.',
  sends: 'Takes an offer as documented, then GET of termsOfUse.id.',
  decides:
    "termsOfUse.id lies below the target's tirBaseUrl, names the DID of the issuer, and is answered 200.",
  needs: ['trust'],
  async run(context) {
    const credential = await obtainCredential(context)
    const finding = await judgeCredential(
      context,
      credential,
      (rule) => rule === 'credential.terms-of-use',
    )
    if (finding.kind !== 'held') return finding
    const id = accreditationAddress(context, credential)
    requireJson(await context.httpAs('verifier').request(id), 'The accreditation')
    return allHeld([finding, held(`${id} is there.`)])
  },
})
