import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D69',
  deviation: 'refuses tokens that it does not know',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: 'const principal = await authenticate?.(request)',
      replace:
        "if (isMutant && request.get('authorization') !== undefined) throw new TestbedError({ code: 'unauthorized', status: 401, message: 'unknown token' })\n      const principal = await authenticate?.(request)",
    },
  ],
}
