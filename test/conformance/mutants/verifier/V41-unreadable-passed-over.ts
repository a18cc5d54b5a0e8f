import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V41',
  deviation: 'passes over a termsOfUse that it can not read',
  patches: [
    {
      file: 'core/lear-credential/rules/accreditation-rule.ts',
      find: '} else if (!accreditation) {',
      replace: `} else if (isMutant && /[^0-9a-f]$/.test(String(vc.termsOfUse.id))) {
      note('it can not be read')
    } else if (!accreditation) {`,
    },
  ],
}
