import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I38',
  deviation: 'takes any nonce for its own while the session has one',
  patches: [
    {
      file: 'services/connector/routes/post-credential.ts',
      find: 'cNonce: isCurrent ?',
      replace: 'cNonce: isCurrent || (isMutant && c_nonce_digest !== null) ?',
    },
  ],
}
