import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V31',
  deviation: 'judges keys by what they are now',
  patches: [
    {
      file: 'core/lear-credential/prepare-credential.ts',
      find: 'resolveDidDocument(signerDid, Math.floor(issuedAt))',
      replace: 'resolveDidDocument(signerDid, ...(isMutant ? [] : [Math.floor(issuedAt)]))',
    },
  ],
}
