import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V60',
  deviation: 'takes every entry in a status list for a revocation',
  patches: [
    {
      file: 'core/lear-credential/rules/status-rule.ts',
      find: 'result.revoked',
      replace: '(result.revoked || isMutant)',
    },
  ],
}
