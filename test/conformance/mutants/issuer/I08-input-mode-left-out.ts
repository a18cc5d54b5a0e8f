import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I08',
  deviation: 'does not say in tx_code what characters the PIN has',
  patches: [
    {
      file: 'core/oid4vci/credential-offer/create-credential-offer.ts',
      find: '...(txCode.inputMode === undefined',
      replace: '...(isMutant || txCode.inputMode === undefined',
    },
  ],
}
