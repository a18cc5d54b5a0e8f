import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I86',
  deviation: 'tells the claims of credentials to everybody',
  patches: [
    {
      file: 'services/kit/api-key-authentication.ts',
      find: "const given = request.get('x-api-key') ?? ''",
      replace: `const given = request.get('x-api-key') ?? ''
    if (isMutant && request.path.endsWith('/claims')) return undefined`,
    },
  ],
}
