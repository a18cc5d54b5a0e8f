import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D07',
  deviation: 'shows the first controller alone',
  patches: [
    {
      file: 'services/did-registry/domain/create-did-document.ts',
      find: 'controller: [...state.controllers],',
      replace: 'controller: [...(isMutant ? state.controllers.slice(0, 1) : state.controllers)],',
    },
  ],
}
