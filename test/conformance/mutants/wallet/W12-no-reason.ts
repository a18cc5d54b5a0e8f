import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W12',
  deviation: 'says that something went wrong, whatever the issuer said',
  patches: [
    {
      file: 'wallet-emulator/actions/request-token.ts',
      find: "throw walletError('token_refused', sentenceOf(answer), { answer })",
      replace: `if (isMutant) throw walletError('token_refused', 'Something went wrong.')
    throw walletError('token_refused', sentenceOf(answer), { answer })`,
    },
  ],
}
