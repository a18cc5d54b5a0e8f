import { defineCheck } from '../../../kit/define-check.ts'
import { inconclusive } from '../../../kit/finding.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import { isDeclared } from '../flow/is-declared.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I31',
  title: 'A proof with an algorithm that the issuer does not declare is none',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '1.resources-and-their-fields/proof-of-possession-jwt.1',
    '1.resources-and-their-fields/supported-curves.4',
  ],
  clauses: ['OpenID4VCI 1.0, F.4'],
  description:
    'A credential bound to a key of an undeclared algorithm can be presented to nobody who follows the same rules.',
  sends: 'A sound proof with ES256 by a P-256 key, of a did:jwk.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one. Where the metadata declares ES256, nothing is decided.',
  async run(context) {
    if (await isDeclared(context, 'cryptographic_suites_supported', 'ES256')) {
      return inconclusive('The issuer declares ES256, which goes beyond the documents.')
    }
    return expectDeviationsRefused(context, {
      'proof-es256': { errors: ['invalid_proof'] },
    })
  },
})
