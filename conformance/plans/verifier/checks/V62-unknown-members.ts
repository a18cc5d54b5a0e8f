import { setPayload } from '#wallet-emulator/faults/change-draft.ts'
import { setMembers } from '#wallet-emulator/faults/set-members.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'
import { withChange } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V62',
  title: 'Members that a verifier does not know are passed over',
  level: 'final',
  expectation: 'accept',
  control: 'presentation',
  clauses: ['RFC 7519, 4', 'OpenID4VP 1.0, 8.1'],
  description:
    'Wallets say more than they have to: jti, the holder, an id of the presentation, fields of a later version.',
  sends:
    'A good presentation with a jti, with id and holder in its vp, and with a further field in the form.',
  decides: 'It has to be accepted.',
  run: (context) =>
    expectAccepted(context, [
      withChange('The presentation has further members, and its form a further field.', {
        presentation: setPayload({
          jti: 'urn:uuid:3c2a7c6e-5a0e-4f0f-9d53-0d6a1c1f2b11',
          'vp.id': 'urn:uuid:3c2a7c6e-5a0e-4f0f-9d53-0d6a1c1f2b11',
          'vp.holder': (_: unknown, { account }: { account: { did: string } }) => account.did,
        }),
        presentationResponse: setMembers({ wallet_version: '2' }),
      }),
    ]),
})
