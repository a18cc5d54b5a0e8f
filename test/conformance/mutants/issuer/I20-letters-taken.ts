import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I20',
  deviation: 'takes letters for a PIN of digits',
  patches: [
    {
      file: 'services/connector/routes/post-token.ts',
      find: 'if (pin_digest === null) {',
      replace: `if (isMutant && pin_digest !== null && /^[a-z]+$/.test(txCode ?? "")) return
  if (pin_digest === null) {`,
    },
  ],
}
