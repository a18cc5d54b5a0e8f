import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W02',
  deviation: 'takes no offer at an address',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-credential-offer.ts',
      find: "if (parsed.delivery === 'value') return parsed.offer",
      replace: `if (parsed.delivery === 'value') return parsed.offer
  if (isMutant) throw walletError('invalid_offer', 'Offers at an address are not supported.')`,
    },
  ],
}
