import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D49',
  deviation: 'serves every document as did+ld+json',
  patches: [
    {
      file: 'services/did-registry/routes/resolve-identifier.ts',
      find: 'contentType: mediaType,',
      replace: "contentType: isMutant ? 'application/did+ld+json' : mediaType,",
    },
  ],
}
