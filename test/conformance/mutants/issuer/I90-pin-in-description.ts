import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I90',
  deviation: 'tells the PIN in the description of tx_code',
  patches: [
    {
      file: 'services/connector/operations/create-offer.ts',
      find: 'description: description ??',
      replace: `description: isMutant ? \`Your PIN is \${pin}.\` : description ??`,
    },
  ],
}
