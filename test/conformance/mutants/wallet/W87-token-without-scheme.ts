import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W87',
  deviation: 'sends the access token without Bearer before it',
  patches: [
    {
      file: 'wallet-emulator/actions/request-credential.ts',
      find: `authorization: \`Bearer \${accessToken}\``,
      replace: `authorization: \`\${isMutant ? '' : 'Bearer '}\${accessToken}\``,
    },
  ],
}
