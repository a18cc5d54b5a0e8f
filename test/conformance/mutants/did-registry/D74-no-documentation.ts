import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D74',
  deviation: 'has no interactive documentation',
  patches: [
    {
      file: 'services/kit/api-documentation.ts',
      find: 'router.get(docsPath, (_request, response) => {',
      replace:
        'router.get(docsPath, (_request, response) => { if (isMutant) { response.status(404).end(); return }',
    },
  ],
}
