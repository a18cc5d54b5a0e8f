import { createStatusEntry } from '#core/status-list/status-list-credential.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'

const what = 'The bit of the credential is not set.'

export const check = defineVerifierCheck({
  id: 'V60',
  title: 'A credential whose bit in the status list is not set is accepted',
  level: 'practice',
  expectation: 'accept',
  control: 'presentation',
  clauses: ['Bitstring Status List 1.0, 3.2'],
  description: 'A status list is there to tell the revoked ones from all others.',
  sends: 'A credential whose bit in its issuer’s status list is not set, while others are.',
  decides: 'It has to be accepted.',
  run: (context) =>
    expectAccepted(context, [
      {
        what,
        defect: {
          name: 'status-bit-unset',
          description: what,
          change: ({ statusListUrl }) => ({
            vc: {
              credentialStatus: createStatusEntry({ statusListUrl: statusListUrl(1), index: 7 }),
            },
          }),
        },
      },
    ]),
})
