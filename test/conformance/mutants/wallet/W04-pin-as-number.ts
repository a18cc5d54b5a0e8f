import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W04',
  deviation: 'reads the PIN as a number and loses zeros in front',
  patches: [
    {
      file: 'wallet-emulator/actions/request-token.ts',
      find: 'resolved, pin)',
      replace: 'resolved, isMutant && /^\\d+$/.test(pin) ? String(Number(pin)) : pin)',
    },
  ],
}
