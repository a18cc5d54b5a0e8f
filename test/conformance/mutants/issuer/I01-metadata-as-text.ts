import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I01',
  deviation: 'sends its metadata as text/plain',
  patches: [
    {
      file: 'services/connector/routes/get-issuer-metadata.ts',
      find: 'return { status: 200, body }',
      replace: "return { status: 200, body, ...(isMutant ? { contentType: 'text/plain' } : {}) }",
    },
  ],
}
