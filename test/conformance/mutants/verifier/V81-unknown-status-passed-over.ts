import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V81',
  deviation: 'takes a status that can not be told for a good one',
  patches: [
    {
      file: 'core/lear-credential/rules/status-rule.ts',
      find: 'if (!result.ok) fail(result.reason)',
      replace: `if (isMutant && !result.ok) return
      if (!result.ok) fail(result.reason)`,
    },
  ],
}
