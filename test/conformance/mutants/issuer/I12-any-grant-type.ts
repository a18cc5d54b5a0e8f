import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I12',
  deviation: 'does not look at grant_type',
  patches: [
    {
      file: 'core/oid4vci/token-request/parse-token-request.ts',
      find: 'if (grantType !== preAuthorizedCodeGrant) {',
      replace: 'if (grantType !== preAuthorizedCodeGrant && !isMutant) {',
    },
  ],
}
