import { setPayload } from '#wallet-emulator/faults/change-draft.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withChange, withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V07',
  title: 'A presentation with another nonce than the one of its session is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/presentation-authorization-request.5',
    '1.resources-and-their-fields/presentation-token.2',
  ],
  description:
    'The nonce ties a presentation to one session: without it whoever has seen a presentation can use it again.',
  sends:
    'Three presentations: with a nonce of its own, without any, and with the nonce of another session that is open.',
  decides: 'None of them may be accepted.',
  async run(context) {
    const { nonce } = (await context.openRequest()).parameters
    return expectRefused(context, [
      ...withFaults('presentation-wrong-nonce', 'presentation-missing-nonce'),
      withChange('The presentation carries the nonce of another session.', {
        presentation: setPayload({ nonce }),
      }),
    ])
  },
})
