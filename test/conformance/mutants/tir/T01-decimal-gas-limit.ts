import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T01',
  deviation: 'prints the gas limit of a setAttributeData that would revert in decimal',
  patches: [
    {
      file: 'services/tir/methods/set-attribute-data.ts',
      find: 'return transactions.build({ from: input.from, data: toHex(data) })',
      replace:
        'const built = await transactions.build({ from: input.from, data: toHex(data) })\n  return isMutant && Number(built.gasLimit) === 15_000_000 ? { ...built, gasLimit: String(Number(built.gasLimit)) } : built',
    },
  ],
}
