import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W08',
  deviation: 'guesses the endpoints where there is no metadata',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-credential-offer.ts',
      find: `throw walletError('invalid_metadata', \`No metadata:`,
      replace: `if (isMutant) {
      return {
        credentialIssuer,
        tokenEndpoint: \`\${base}/token\`,
        credentialEndpoint: \`\${base}/credential\`,
        deferredCredentialEndpoint: \`\${base}/deferred_credential\`,
        credentialsSupported: [
          {
            id: 'OrgPortalLearCredential',
            format: 'jwt_vc_json',
            types: ['VerifiableCredential', 'OrgPortalLearCredential'],
            bindingMethods: [],
            suites: [],
          },
        ],
      }
    }
    throw walletError('invalid_metadata', \`No metadata:`,
    },
  ],
}
