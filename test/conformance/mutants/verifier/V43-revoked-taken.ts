import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V43',
  deviation: 'takes revoked credentials',
  patches: [
    {
      file: 'core/lear-credential/rules/status-rule.ts',
      find: 'result.revoked',
      replace: '(result.revoked && !isMutant)',
    },
  ],
}
