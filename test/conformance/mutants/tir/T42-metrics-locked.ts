import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T42',
  deviation: 'asks for a key at /metrics',
  patches: [
    {
      file: 'services/kit/create-app.ts',
      find: 'response.type(metrics.registry.contentType).send(await metrics.registry.metrics())',
      replace:
        "if (isMutant && _request.get('x-api-key') === undefined) response.status(401).end()\n    else response.type(metrics.registry.contentType).send(await metrics.registry.metrics())",
    },
  ],
}
