import { createTermsOfUseUrl } from '#core/trust/parse-terms-of-use.ts'
import type { Rule } from '#core/verification/evaluate-rules.ts'
import type { CredentialContext } from '../credential-context.ts'

/**
 * Where the issuer's accreditation is said to be (Document 1, Credential schema rules 8). What it
 * says, and everything above it, is judged by the walk up the trust chain.
 *
 * @assumption A-29
 * @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8 1.errors.13
 */
export const accreditationRule: Rule<CredentialContext> = {
  rule: 'credential.terms-of-use',
  statement: "termsOfUse.id points to the issuer's accreditation in the TIR of this environment.",
  path: 'vc.termsOfUse.id',
  evaluate: ({ vc, accreditation, jws, policy }, { fail, lack, note }) => {
    if (vc.termsOfUse === undefined) fail('it is absent')
    else if (policy.tirBaseUrl === '') {
      lack({ ok: false, kind: 'not-asked', reason: 'no TIR of its environment is known here' })
    } else if (!accreditation) {
      fail(
        `not accredited in this environment, whose TIR is ${policy.tirBaseUrl}`,
        undefined,
        vc.termsOfUse,
      )
    } else if (accreditation.did !== jws.payload.iss) {
      fail("it is another one's accreditation", undefined, accreditation.did)
    } else note(createTermsOfUseUrl(policy.tirBaseUrl, accreditation))
  },
}
