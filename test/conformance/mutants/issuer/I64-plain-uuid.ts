import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I64',
  deviation: 'gives a plain UUID as id',
  patches: [
    {
      file: 'core/lear-credential/create-lear-credential.ts',
      find: `      id,
      type:`,
      replace: `      id: isMutant ? id.slice('urn:uuid:'.length) : id,
      type:`,
    },
  ],
}
