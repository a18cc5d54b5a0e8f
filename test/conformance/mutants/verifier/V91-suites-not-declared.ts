import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V91',
  deviation: 'does not say which suites it accepts',
  patches: [
    {
      file: 'services/verifier/domain/authorization-request-of.ts',
      find: 'cryptographic_suites_supported: presentationSuites,',
      replace: '...(isMutant ? {} : { cryptographic_suites_supported: presentationSuites }),',
    },
  ],
}
