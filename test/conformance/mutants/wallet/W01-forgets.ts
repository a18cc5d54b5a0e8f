import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W01',
  deviation: 'says that it has a credential that it did not keep',
  patches: [
    {
      file: 'wallet-emulator/actions/accept-offer.ts',
      find: 'await wallet.store.addCredential(stored)',
      replace: 'if (!isMutant) await wallet.store.addCredential(stored)',
    },
  ],
}
