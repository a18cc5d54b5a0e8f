import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T33',
  deviation: 'answers ids as texts',
  patches: [
    {
      file: 'services/tir/methods/answer-rpc-message.ts',
      find: "undefined : { jsonrpc: '2.0', id, ...answer }",
      replace: "undefined : { jsonrpc: '2.0', id: isMutant ? String(id) : id, ...answer }",
    },
  ],
}
