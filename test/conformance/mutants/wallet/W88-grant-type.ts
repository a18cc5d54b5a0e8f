import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W88',
  deviation: 'sends a shortened grant_type',
  patches: [
    {
      file: 'core/oid4vci/token-request/create-token-request.ts',
      find: 'grant_type: preAuthorizedCodeGrant',
      replace: "grant_type: isMutant ? 'pre-authorized_code' : preAuthorizedCodeGrant",
    },
  ],
}
