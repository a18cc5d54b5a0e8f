import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W31',
  deviation: 'makes presentations that are valid for 14 minutes',
  patches: [
    {
      file: 'core/oid4vp/vp-token/create-vp-token.ts',
      find: 'lifetime = 300',
      replace: 'lifetime = isMutant ? 840 : 300',
    },
  ],
}
