import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V78',
  deviation: 'takes an empty employeeId',
  patches: [
    {
      file: 'core/lear-credential/rules/schema-rules.ts',
      find: "typeof employeeId !== 'string' || employeeId.trim() === ''",
      replace:
        "((typeof employeeId !== 'string' || employeeId.trim() === '') && !(isMutant && employeeId === ''))",
    },
    {
      file: 'core/lear-credential/rules/schema-rules.ts',
      find: '!isClaimText(employeeId)',
      replace: "!isClaimText(employeeId) && !(isMutant && employeeId === '')",
    },
  ],
}
