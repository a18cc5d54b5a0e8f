import { defineCheck } from '../../../define-check.ts'
import { expectIssued } from '../flow/expect-issued.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I22',
  title: 'A holder with a did:key of Ed25519 gets a credential',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/supported-curves.2',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.10',
  ],
  clauses: ['OpenID4VCI 1.0, F.1'],
  description:
    'Curve and DID method are chosen when an account is made; holders who chose this one must not be left out.',
  sends:
    'The credential request as documented, with a proof by EdDSA of a did:key with the prefix z6Mk.',
  decides: 'The credential endpoint answers 200 with a credential, or with an acceptance_token.',
  run: (context) => expectIssued(context, { curve: 'Ed25519', didMethod: 'key' }),
})
