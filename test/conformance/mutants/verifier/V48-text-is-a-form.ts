import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V48',
  deviation: 'reads text/plain as a form',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: '!contentTypes.includes(given)',
      replace: "!contentTypes.includes(given) && !(isMutant && given === 'text/plain')",
    },
    {
      file: 'services/kit/register-route.ts',
      find: "given === 'application/x-www-form-urlencoded' ? form : json",
      replace:
        "(isMutant && given === 'text/plain') || given === 'application/x-www-form-urlencoded' ? form : json",
    },
  ],
}
