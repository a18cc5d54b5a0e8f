import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I04',
  deviation: 'does not declare which suites it takes',
  patches: [
    {
      file: 'core/oid4vci/issuer-metadata/create-issuer-metadata.ts',
      find: 'cryptographic_suites_supported: [...entry.suites]',
      replace: '...(isMutant ? {} : { cryptographic_suites_supported: [...entry.suites] })',
    },
  ],
}
