import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D01',
  deviation: 'forgets alsoKnownAs of the first document',
  patches: [
    {
      file: 'services/did-registry/routes/insert-first-did-document.ts',
      find: 'alternativeIdentifier: body.alsoKnownAs,',
      replace: "alternativeIdentifier: isMutant ? '' : body.alsoKnownAs,",
    },
  ],
}
