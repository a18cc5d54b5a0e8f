import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W03',
  deviation: 'sends an empty tx_code where no PIN is asked for',
  patches: [
    {
      file: 'wallet-emulator/actions/request-token.ts',
      find: '...(txCode ? { txCode } : {}) })',
      replace: "...(txCode ? { txCode } : isMutant ? { txCode: '' } : {}) })",
    },
  ],
}
