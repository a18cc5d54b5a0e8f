import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W13',
  deviation: 'gives up after invalid_nonce',
  patches: [
    {
      file: 'wallet-emulator/actions/request-credential.ts',
      find: 'if (freshNonce !== undefined &&',
      replace: 'if (!isMutant && freshNonce !== undefined &&',
    },
  ],
}
