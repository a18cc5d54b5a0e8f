import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V40',
  deviation: "takes somebody else's accreditation",
  patches: [
    {
      file: 'core/lear-credential/rules/accreditation-rule.ts',
      find: 'accreditation.did !== jws.payload.iss',
      replace: '(accreditation.did !== jws.payload.iss && !(isMutant))',
    },
  ],
}
