import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W56',
  deviation: 'takes no token response without a c_nonce',
  patches: [
    {
      file: 'wallet-emulator/actions/request-token.ts',
      find: 'const { expiresIn } = result.token',
      replace: `if (isMutant && result.token.cNonce === undefined) {
    throw walletError('invalid_response', 'The token response has no c_nonce.')
  }
  const { expiresIn } = result.token`,
    },
  ],
}
