import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I79',
  deviation: 'takes notifications without a key',
  patches: [
    {
      file: 'services/kit/api-key-authentication.ts',
      find: "const given = request.get('x-api-key') ?? ''",
      replace: `const given = request.get('x-api-key') ?? ''
    if (isMutant && given === '' && request.path.endsWith('/notifications')) return undefined`,
    },
  ],
}
