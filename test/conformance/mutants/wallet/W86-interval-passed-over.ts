import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W86',
  deviation: 'polls at its own pace, whatever interval the issuer asks for',
  patches: [
    {
      file: 'wallet-emulator/actions/poll-deferred-credential.ts',
      find: 'let pause = interval === undefined ?',
      replace: 'let pause = isMutant || interval === undefined ?',
    },
  ],
}
