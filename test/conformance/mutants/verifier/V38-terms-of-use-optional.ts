import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V38',
  deviation: 'asks for no accreditation where none is named',
  patches: [
    {
      file: 'core/lear-credential/rules/accreditation-rule.ts',
      find: "if (vc.termsOfUse === undefined) fail('it is absent')",
      replace: `if (isMutant && vc.termsOfUse === undefined) return
    if (vc.termsOfUse === undefined) fail('it is absent')`,
    },
  ],
}
