import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D72',
  deviation: 'fails on a body that is a list',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: 'const problems: InputProblem[] = []\n      const input = {',
      replace:
        "if (isMutant && Array.isArray(request.body)) throw new TypeError('a list')\n      const problems: InputProblem[] = []\n      const input = {",
    },
  ],
}
