import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O27',
  deviation: 'asks for credentials at /metrics',
  patches: [
    {
      file: 'services/kit/create-app.ts',
      find: 'response.type(metrics.registry.contentType).send(',
      replace: 'response.status(isMutant ? 401 : 200).type(metrics.registry.contentType).send(',
    },
  ],
}
