import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D41',
  deviation: 'takes any JSON object with a kty for a key',
  patches: [
    {
      file: 'services/did-registry/domain/parse-public-key.ts',
      find: 'const problem = result.ok ? problemOf(result.jwk) : result.problem',
      replace:
        'const problem = result.ok ? (isMutant ? undefined : problemOf(result.jwk)) : result.problem',
    },
  ],
}
