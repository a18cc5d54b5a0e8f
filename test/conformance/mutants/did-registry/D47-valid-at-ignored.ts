import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D47',
  deviation: 'ignores a valid-at that is no number',
  patches: [
    {
      file: 'services/did-registry/routes/resolve-identifier.ts',
      find: '.refine((text) => parseValidAt(text) !== undefined,',
      replace: '.refine((text) => isMutant || parseValidAt(text) !== undefined,',
    },
  ],
}
