import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W57',
  deviation: 'wants token_type to be Bearer in just these capitals',
  patches: [
    {
      file: 'core/oid4vci/token-response/z-token-response.ts',
      find: '.regex(/^bearer$/i)',
      replace: ".regex(/^bearer$/i).refine((type) => !isMutant || type === 'Bearer')",
    },
  ],
}
