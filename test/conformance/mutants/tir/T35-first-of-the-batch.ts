import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T35',
  deviation: 'answers the first request of a batch alone',
  patches: [
    {
      file: 'services/tir/methods/answer-rpc-message.ts',
      find: 'if (!Array.isArray(message)) return answerOne(message, dependencies)',
      replace:
        'if (isMutant && Array.isArray(message) && message.length > 1) return answerOne(message[0], dependencies)\n  if (!Array.isArray(message)) return answerOne(message, dependencies)',
    },
  ],
}
