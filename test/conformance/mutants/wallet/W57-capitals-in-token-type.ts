import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W57',
  deviation: 'wants token_type to be Bearer in just these capitals',
  patches: [
    {
      file: 'core/oid4vci/token-response/z-token-response.ts',
      find: '.regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/)',
      replace:
        ".regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/).refine((type) => !isMutant || type === 'Bearer')",
    },
  ],
}
