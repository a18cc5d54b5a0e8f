import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I51',
  deviation: 'does not ask for VerifiableCredential among the types',
  patches: [
    {
      file: 'core/oid4vci/credential-request/parse-credential-request.ts',
      find: '!types.includes(verifiableCredentialType)',
      replace: '(!types.includes(verifiableCredentialType) && !isMutant)',
    },
  ],
}
