import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I14',
  deviation: 'gives a token for a code that was redeemed',
  patches: [
    {
      file: 'services/connector/routes/post-token.ts',
      find: "if (state !== 'offered') throw",
      replace: "if (state !== 'offered' && !isMutant) throw",
    },
    {
      file: 'services/connector/routes/post-token.ts',
      find: 'if (!redeemed) throw',
      replace: 'if (!redeemed && !isMutant) throw',
    },
  ],
}
