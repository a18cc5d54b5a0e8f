import { defineCheck } from '../../../kit/define-check.ts'
import { inconclusive } from '../../../kit/finding.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import { isDeclared } from '../flow/is-declared.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I34',
  title: 'A holder of another DID method than did:key and did:jwk gets no credential',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '1.resources-and-their-fields/supported-curves.1',
    '1.resources-and-their-fields/supported-curves.2',
  ],
  clauses: ['OpenID4VCI 1.0, 12.2.4'],
  description:
    'Resolving whatever method stands there lets strangers choose which addresses the issuer fetches.',
  sends: 'A proof by a holder with a did:web.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one. Where the metadata declares did:web, nothing is decided.',
  async run(context) {
    if (await isDeclared(context, 'cryptographic_binding_methods_supported', 'did:web')) {
      return inconclusive('The issuer declares did:web, which goes beyond the documents.')
    }
    return expectDeviationsRefused(context, {
      'proof-did-web': { errors: ['invalid_proof'] },
    })
  },
})
