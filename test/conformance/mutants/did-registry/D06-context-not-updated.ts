import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D06',
  deviation: 'has updateBaseDocument write the default @context',
  patches: [
    {
      file: 'services/did-registry/routes/update-base-document.ts',
      find: 'updateBaseDocument.encodeInput({ did, baseDocument })',
      replace:
        'updateBaseDocument.encodeInput({ did, baseDocument: isMutant ? defaultBaseDocument : baseDocument })',
    },
  ],
}
