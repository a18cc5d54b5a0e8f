import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I48',
  deviation: 'gives any type that it has for any token',
  patches: [
    {
      file: 'services/connector/operations/sign-credential.ts',
      find: 'requestClaims(issuance.subject_id, type)',
      replace:
        'requestClaims(issuance.subject_id, isMutant ? JSON.parse(issuance.vc_names)[0] : type)',
    },
    {
      file: 'services/connector/routes/post-credential.ts',
      find: 'if (type && offeredTypes(issuance).includes(type.vcType)) return type',
      replace:
        'if (type && (isMutant || offeredTypes(issuance).includes(type.vcType))) return type',
    },
  ],
}
