import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V32',
  deviation: 'gives keys two minutes more',
  patches: [
    {
      file: 'core/lear-credential/prepare-credential.ts',
      find: 'Math.floor(issuedAt)',
      replace: 'Math.floor(issuedAt) - (isMutant ? 120 : 0)',
    },
  ],
}
