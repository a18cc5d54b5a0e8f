import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W29',
  deviation: 'writes presentations with the @context of the data model 2.0',
  patches: [
    {
      file: 'core/oid4vp/vp-token/create-vp-token.ts',
      find: "'@context': [presentationContext]",
      replace:
        "'@context': [isMutant ? 'https://www.w3.org/ns/credentials/v2' : presentationContext]",
    },
  ],
}
