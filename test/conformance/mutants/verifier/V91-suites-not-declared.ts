import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V91',
  deviation: 'does not say which suites it accepts',
  patches: [
    {
      file: 'services/verifier/domain/authorization-request-of.ts',
      find: 'client_metadata: { cryptographic_suites_supported: presentationSuites },',
      replace:
        'client_metadata: isMutant ? ({} as never) : { cryptographic_suites_supported: presentationSuites },',
    },
  ],
}
