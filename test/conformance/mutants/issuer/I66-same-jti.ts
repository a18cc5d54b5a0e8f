import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I66',
  deviation: 'gives every credential the same jti',
  patches: [
    {
      file: 'core/lear-credential/create-lear-credential.ts',
      find: 'jti: id,',
      replace: "jti: isMutant ? 'urn:uuid:00000000-0000-4000-8000-000000000000' : id,",
    },
  ],
}
