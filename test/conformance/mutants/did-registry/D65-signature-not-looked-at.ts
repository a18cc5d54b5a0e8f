import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D65',
  deviation: 'answers 206 for a spoilt signature',
  patches: [
    {
      file: 'services/did-registry/domain/require-sendable.ts',
      find: "if (result.reason === 'invalid_signature') throw invalidSignature('The signature is not valid.')",
      replace:
        "if (isMutant && result.reason === 'invalid_signature') throw new TestbedError({ code: 'pending', status: 206, message: 'pending' })\n    if (result.reason === 'invalid_signature') throw invalidSignature('The signature is not valid.')",
    },
  ],
}
