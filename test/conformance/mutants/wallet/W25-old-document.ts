import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W25',
  deviation: 'judges issuers by their DID document of some hours before',
  patches: [
    {
      file: 'core/lear-credential/prepare-credential.ts',
      find: 'Math.floor(issuedAt)',
      replace: 'Math.floor(issuedAt) - (isMutant ? 7200 : 0)',
    },
  ],
}
