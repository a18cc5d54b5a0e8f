import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V85',
  deviation: 'does not compare vc.issuer with iss',
  patches: [
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: "if (issuer !== jws.payload.iss) fail('it is not iss'",
      replace: "if (!isMutant && issuer !== jws.payload.iss) fail('it is not iss'",
    },
  ],
}
