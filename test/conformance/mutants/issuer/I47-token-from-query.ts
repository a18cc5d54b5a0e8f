import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I47',
  deviation: 'takes the access token from the address as well',
  patches: [
    {
      file: 'services/connector/operations/authenticate-access-token.ts',
      find: "const header = request.get('authorization')",
      replace: `const { access_token: asked } = request.query
    const header = request.get('authorization') ?? (isMutant && asked ? \`Bearer \${asked}\` : undefined)`,
    },
  ],
}
