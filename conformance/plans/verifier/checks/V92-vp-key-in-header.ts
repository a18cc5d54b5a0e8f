import { publicJwkOf } from '#core/crypto/jwk.ts'
import { setHeader } from '#wallet-emulator/faults/change-draft.ts'
import { allOf } from '#wallet-emulator/faults/set-members.ts'
import { signByOther } from '#wallet-emulator/faults/signature-changes.ts'
import type { FaultContext } from '#wallet-emulator/faults/wallet-fault.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withChange } from '../presentation-case.ts'

const bringKey = setHeader({
  jwk: (_: unknown, { otherAccount }: FaultContext) => publicJwkOf(otherAccount.privateKey),
})

export const check = defineVerifierCheck({
  id: 'V92',
  title: 'A presentation that brings its own key along is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.1'],
  description:
    'kid is the DID URL of the holder key. A library that prefers the jwk of the header takes anybody for the holder.',
  sends:
    "A presentation in the holder's name, signed by somebody else's key, which is in its header as jwk.",
  decides: 'It may not be accepted.',
  run: (context) =>
    expectRefused(context, [
      withChange("Somebody else's key signed, and is in the header as jwk.", {
        presentation: allOf(bringKey, signByOther),
      }),
    ]),
})
