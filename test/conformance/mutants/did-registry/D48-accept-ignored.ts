import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D48',
  deviation: 'ignores the Accept header',
  patches: [
    {
      file: 'services/did-registry/routes/resolve-identifier.ts',
      find: "const mediaType = chooseMediaType(request.get('accept'))",
      replace:
        "const mediaType = chooseMediaType(request.get('accept')) ?? (isMutant ? didMediaTypes[0] : undefined)",
    },
  ],
}
