import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V70',
  deviation: 'takes presentations without iat',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: 'if (!isTime(iat)) fail(',
      replace: `if (isMutant && iat === undefined) return
      if (!isTime(iat)) fail(`,
    },
  ],
}
