import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W28',
  deviation: 'tries again with the used c_nonce',
  patches: [
    {
      file: 'wallet-emulator/actions/request-credential.ts',
      find: 'cNonce: freshNonce })',
      replace: 'cNonce: isMutant ? options.cNonce : freshNonce })',
    },
  ],
}
