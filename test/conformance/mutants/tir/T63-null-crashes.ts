import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T63',
  deviation: 'fails on a body that is null',
  patches: [
    {
      file: 'services/tir/routes/json-rpc.ts',
      find: 'const answer = await answerRpcMessage(body, dependencies)',
      replace:
        "if (isMutant && body === null) throw new TypeError('null')\n    const answer = await answerRpcMessage(body, dependencies)",
    },
  ],
}
