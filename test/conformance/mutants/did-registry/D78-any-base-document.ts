import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D78',
  deviation: 'takes any text for a base document',
  patches: [
    {
      file: 'services/did-registry/domain/z-fields.ts',
      find: '(text) => parseBaseDocument(text) !== undefined,',
      replace: '(text) => isMutant || parseBaseDocument(text) !== undefined,',
    },
  ],
}
