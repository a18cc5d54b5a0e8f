import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W30',
  deviation: 'writes the path of the credential without vp',
  patches: [
    {
      file: 'core/oid4vp/presentation-submission/create-presentation-submission.ts',
      find: "path: '$.vp.verifiableCredential[0]'",
      replace: "path: isMutant ? '$.verifiableCredential[0]' : '$.vp.verifiableCredential[0]'",
    },
  ],
}
