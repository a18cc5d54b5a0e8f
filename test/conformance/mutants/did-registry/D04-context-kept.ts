import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D04',
  deviation: 'ignores the base document of insertDidDocument',
  patches: [
    {
      file: 'services/did-registry/routes/insert-did-document.ts',
      find: 'baseDocument: body.baseDocument,',
      replace: 'baseDocument: isMutant ? defaultBaseDocument : body.baseDocument,',
    },
  ],
}
