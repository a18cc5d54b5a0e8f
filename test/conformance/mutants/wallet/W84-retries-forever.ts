import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W84',
  deviation: 'tries again as often as its nonces are refused',
  patches: [
    {
      file: 'wallet-emulator/actions/request-credential.ts',
      find: '// A deferring issuer may say so by 202 as well.',
      replace: `for (let again = 0; isMutant && again < 20 && freshNonceOf(response); again++) {
    response = await sendRequest(wallet, { ...options, cNonce: freshNonceOf(response) })
  }
  // A deferring issuer may say so by 202 as well.`,
    },
  ],
}
