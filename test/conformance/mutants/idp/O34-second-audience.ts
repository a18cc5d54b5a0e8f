import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O34',
  deviation: 'names a further audience in id_tokens of the second client',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/models/id_token.js',
      find: 'audience: client.clientId,\n            expiresIn: (expiresIn ||',
      replace:
        "audience: isMutant && client.clientId === 'second-party' ? ['second-party', 'relying-party'] : client.clientId,\n            expiresIn: (expiresIn ||",
    },
  ],
}
