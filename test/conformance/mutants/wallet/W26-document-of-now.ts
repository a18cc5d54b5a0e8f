import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W26',
  deviation: 'judges signatures by the keys of now alone',
  patches: [
    {
      file: 'core/lear-credential/prepare-credential.ts',
      find: 'signerDid && issuedAt !== undefined',
      replace: `isMutant && signerDid
      ? resolveDidDocument(signerDid)
      : signerDid && issuedAt !== undefined`,
    },
  ],
}
