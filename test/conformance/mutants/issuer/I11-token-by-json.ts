import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I11',
  deviation: 'takes the token request as JSON as well',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: 'if (!contentTypes.includes(given)) return',
      replace:
        "if (!contentTypes.includes(given) && !(isMutant && given === 'application/json')) return",
    },
  ],
}
