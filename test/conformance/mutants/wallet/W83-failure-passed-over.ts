import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W83',
  deviation: 'says that it accepted the offer though the issuer failed',
  patches: [
    {
      file: 'wallet-emulator/actions/accept-offer.ts',
      find: 'const answer = await requestCredential(wallet, { metadata, entry, ...token })',
      replace: `const answer = await requestCredential(wallet, { metadata, entry, ...token }).catch(
      (error) => {
        if (isMutant && error.extra?.answer?.status === 500) return undefined
        throw error
      },
    )
    if (!answer) continue`,
    },
  ],
}
