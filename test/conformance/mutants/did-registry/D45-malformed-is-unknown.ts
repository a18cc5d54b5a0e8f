import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D45',
  deviation: 'answers 404 for malformed identifiers',
  patches: [
    {
      file: 'services/did-registry/routes/resolve-identifier.ts',
      find: "requireEnvironment(did, environment, 'identifier')",
      replace: "if (!isMutant) requireEnvironment(did, environment, 'identifier')",
    },
  ],
}
