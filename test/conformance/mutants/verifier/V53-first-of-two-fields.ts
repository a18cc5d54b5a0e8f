import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V53',
  deviation: 'reads the first of two fields',
  patches: [
    {
      file: 'services/verifier/routes/post-response.ts',
      find: "return typeof value === 'string' ? value : undefined",
      replace: `if (isMutant && Array.isArray(value)) return value[0]
  return typeof value === 'string' ? value : undefined`,
    },
  ],
}
