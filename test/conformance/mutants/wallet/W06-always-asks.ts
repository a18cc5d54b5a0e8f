import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W06',
  deviation: 'asks for a PIN always, and sends it',
  patches: [
    {
      file: 'wallet-emulator/actions/request-token.ts',
      find: 'if (!txCode) return readToken(wallet, await sendTokenRequest(wallet, resolved))',
      replace: `if (!txCode) {
    const pin = isMutant ? await getPin?.({ inputMode: 'numeric' }, { attempt: 1 }) : undefined
    return readToken(wallet, await sendTokenRequest(wallet, resolved, pin))
  }`,
    },
  ],
}
