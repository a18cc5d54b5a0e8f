import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V63',
  deviation: 'knows one termsOfUse alone',
  patches: [
    {
      file: 'core/trust/parse-terms-of-use.ts',
      find: 'Array.isArray(termsOfUse) ? termsOfUse : [termsOfUse]',
      replace: '!isMutant && Array.isArray(termsOfUse) ? termsOfUse : [termsOfUse]',
    },
  ],
}
