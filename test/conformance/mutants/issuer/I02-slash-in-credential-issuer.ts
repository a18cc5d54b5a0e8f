import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I02',
  deviation: 'names itself with a slash at the end',
  patches: [
    {
      file: 'core/oid4vci/issuer-metadata/create-issuer-metadata.ts',
      find: 'credential_issuer: metadata.credentialIssuer',
      replace: "credential_issuer: metadata.credentialIssuer + (isMutant ? '/' : '')",
    },
  ],
}
