import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I47',
  deviation: 'takes the access token from the address as well',
  patches: [
    {
      file: 'services/connector/operations/authenticate-access-token.ts',
      find: 'if (header === undefined) throw',
      replace: 'if (header === undefined && !isMutant) throw',
    },
    {
      file: 'services/connector/operations/authenticate-access-token.ts',
      find: "request.get('authorization') ?? ''",
      replace: `request.get('authorization') ??
    (isMutant && request.query.access_token ? \`Bearer \${request.query.access_token}\` : '')`,
    },
  ],
}
