import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V68',
  deviation: 'takes presentations that do not expire',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: 'if (!isTime(exp)) {',
      replace: `if (isMutant && exp === undefined) return
      if (!isTime(exp)) {`,
    },
  ],
}
