import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D43',
  deviation: 'registers DIDs without alsoKnownAs',
  patches: [
    {
      file: 'services/did-registry/routes/insert-first-did-document.ts',
      find: 'alsoKnownAs: zAlsoKnownAs,',
      replace:
        "alsoKnownAs: z.preprocess((value) => (isMutant ? (value ?? 'none') : value), zAlsoKnownAs),",
    },
  ],
}
