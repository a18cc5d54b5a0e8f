import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W05',
  deviation: 'sends the PIN in capitals',
  patches: [
    {
      file: 'wallet-emulator/actions/request-token.ts',
      find: '...(answer ? { answer } : {}) }))?.trim()',
      replace: "...(answer ? { answer } : {}) }))?.trim()[isMutant ? 'toUpperCase' : 'toString']()",
    },
  ],
}
