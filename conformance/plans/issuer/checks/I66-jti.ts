import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { obtainCredential } from '../flow/obtain-credential.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I66',
  title: 'No two credentials share their jti',
  level: 'practice',
  expectation: 'advice',
  clauses: ['RFC 7519, 4.1.7'],
  description: 'Verifiers that remember what they saw by jti take the second one for a replay.',
  sends: 'Takes two offers as documented.',
  decides: 'jti of both differs, or is left out.',
  async run(context) {
    const [one, other] = [await obtainCredential(context), await obtainCredential(context)]
    const { jti } = one.jws.payload
    const verdictSource = 'jti of both credentials'
    if (jti === undefined) return held('They have none.', { verdictSource })
    return jti === other.jws.payload.jti
      ? broken('Two credentials have one jti.', { actual: jti, verdictSource })
      : held('They differ.', { verdictSource })
  },
})
