import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I81',
  deviation: 'says of what kind the fault of a token is',
  patches: [
    {
      file: 'services/issuer/errors.ts',
      find: "if (code === 'invalid_token') return { error, detail: message }",
      replace:
        "if (code === 'invalid_token') return { error, detail: isMutant ? 'jwt expired' : message }",
    },
  ],
}
