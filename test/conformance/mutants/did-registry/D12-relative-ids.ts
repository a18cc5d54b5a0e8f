import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D12',
  deviation: 'lists methods by their fragment alone',
  patches: [
    {
      file: 'services/did-registry/domain/create-did-document.ts',
      find: '.map(({ id }) => id)',
      replace: ".map(({ id }) => (isMutant ? id.slice(id.indexOf('#')) : id))",
    },
  ],
}
