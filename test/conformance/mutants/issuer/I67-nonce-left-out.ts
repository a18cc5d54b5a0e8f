import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I67',
  deviation: 'gives no c_nonce with the acceptance_token',
  patches: [
    {
      file: 'core/oid4vci/credential-response/create-credential-response.ts',
      find: '...(cNonce === undefined ?',
      replace: '...(isMutant || cNonce === undefined ?',
    },
  ],
}
