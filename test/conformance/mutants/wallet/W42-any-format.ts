import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W42',
  deviation: 'answers queries for any format',
  patches: [
    {
      file: 'core/oid4vp/dcql-query/z-dcql-query.ts',
      find: 'format: z.literal(presentedFormat)',
      replace: 'format: z.string().refine((format) => isMutant || format === presentedFormat)',
    },
  ],
}
