import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W81',
  deviation: 'sends the code without the PIN that is asked for',
  patches: [
    {
      file: 'wallet-emulator/actions/request-token.ts',
      find: 'if (!pin) {',
      replace: `if (!pin && isMutant) return readToken(wallet, await sendTokenRequest(wallet, resolved))
    if (!pin) {`,
    },
  ],
}
