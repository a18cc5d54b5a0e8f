import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'

export const check = defineVerifierCheck({
  id: 'V55',
  title: 'A holder with EdDSA and did:key is accepted',
  level: 'spec',
  expectation: 'accept',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/supported-curves.2'],
  description:
    'The wallet uses the curve chosen when its account was created: a verifier that knows one suite locks the holders of the others out.',
  sends: 'A good presentation of a holder with EdDSA and did:key (z6Mk).',
  decides: 'It has to be accepted.',
  run: (context) =>
    expectAccepted(context, [
      {
        what: 'A presentation of a holder with EdDSA and did:key (z6Mk).',
        account: createAccount({ curve: 'Ed25519', didMethod: 'key' }),
      },
    ]),
})
