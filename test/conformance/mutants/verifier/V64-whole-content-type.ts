import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V64',
  deviation: 'compares the whole content type',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: "(request.get('content-type') ?? '').split(';')[0]",
      replace: "(request.get('content-type') ?? '').split(isMutant ? '\\n' : ';')[0]",
    },
  ],
}
