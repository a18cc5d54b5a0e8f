import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W82',
  deviation: 'sends a refused PIN again and again',
  patches: [
    {
      file: 'wallet-emulator/actions/request-token.ts',
      find: 'if (refused && (',
      replace: 'if (!isMutant && refused && (',
    },
    {
      file: 'wallet-emulator/actions/request-token.ts',
      find: 'attempt < maximumPinAttempts',
      replace: 'attempt < (isMutant ? 8 : maximumPinAttempts)',
    },
  ],
}
