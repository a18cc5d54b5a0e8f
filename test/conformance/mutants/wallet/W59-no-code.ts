import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W59',
  deviation: 'goes on without a pre-authorized code',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-credential-offer.ts',
      find: 'if (preAuthorizedCode === undefined) {',
      replace: 'if (!isMutant && preAuthorizedCode === undefined) {',
    },
  ],
}
