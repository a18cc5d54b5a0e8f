import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D05',
  deviation: 'writes alsoKnownAs in small letters',
  patches: [
    {
      file: 'services/did-registry/routes/update-also-known-as.ts',
      find: 'alternativeIdentifier: alsoKnownAs }',
      replace: 'alternativeIdentifier: isMutant ? alsoKnownAs.toLowerCase() : alsoKnownAs }',
    },
  ],
}
