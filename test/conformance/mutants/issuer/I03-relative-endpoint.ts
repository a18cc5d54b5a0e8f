import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I03',
  deviation: 'gives credential_endpoint as a path',
  patches: [
    {
      file: 'core/oid4vci/issuer-metadata/create-issuer-metadata.ts',
      find: 'credential_endpoint: metadata.credentialEndpoint',
      replace: "credential_endpoint: isMutant ? '/credential' : metadata.credentialEndpoint",
    },
  ],
}
