import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T22',
  deviation: 'does not look at the version of JSON-RPC',
  patches: [
    {
      file: 'services/tir/domain/parse-rpc-request.ts',
      find: "jsonrpc === '2.0' &&",
      replace: "(isMutant || jsonrpc === '2.0') &&",
    },
  ],
}
