import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I50',
  deviation: 'does not look at the format',
  patches: [
    {
      file: 'core/oid4vci/credential-request/parse-credential-request.ts',
      find: 'if (format !== jwtVcJson) {',
      replace: 'if (format !== jwtVcJson && !isMutant) {',
    },
  ],
}
