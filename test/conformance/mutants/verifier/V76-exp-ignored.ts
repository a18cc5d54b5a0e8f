import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V76',
  deviation: 'looks at validUntil alone and not at exp',
  patches: [
    {
      file: 'core/lear-credential/rules/period-rules.ts',
      find: 'isTime(exp) && now >= exp',
      replace: '!isMutant && isTime(exp) && now >= exp',
    },
  ],
}
