import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I10',
  deviation: 'does not say for how long a c_nonce is good',
  patches: [
    {
      file: 'core/oid4vci/token-response/create-token-response.ts',
      find: 'c_nonce_expires_in: response.cNonceExpiresIn',
      replace: '...(isMutant ? {} : { c_nonce_expires_in: response.cNonceExpiresIn })',
    },
  ],
}
