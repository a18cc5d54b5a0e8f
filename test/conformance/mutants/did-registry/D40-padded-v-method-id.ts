import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D40',
  deviation: 'takes a vMethodId with padding',
  patches: [
    {
      file: 'services/did-registry/domain/z-fields.ts',
      find: ".refine(isVerificationMethodId, 'must be base64url",
      replace:
        ".refine((text) => isVerificationMethodId(isMutant ? text.replace(/=+$/, '') : text), 'must be base64url",
    },
  ],
}
