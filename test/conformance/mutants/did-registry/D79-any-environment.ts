import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D79',
  deviation: 'builds for DIDs of the other environment',
  patches: [
    {
      file: 'services/did-registry/routes/define-contract-route.ts',
      find: "requireEnvironment(request.did, environment, 'did')",
      replace: "if (!isMutant) requireEnvironment(request.did, environment, 'did')",
    },
  ],
}
