import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I91',
  deviation: 'gives a token to each of several that redeem a code at once',
  patches: [
    {
      file: 'services/connector/routes/post-token.ts',
      find: 'const redeemed = await issuances.take(',
      replace: `const take = isMutant
      ? async (...all) => {
          await new Promise((resolve) => setTimeout(resolve, 50))
          return (await issuances.take(...all)) || true
        }
      : issuances.take
    const redeemed = await take(`,
    },
  ],
}
