import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D23',
  deviation: 'tells a contract address of zeros for calls',
  patches: [
    {
      file: 'services/did-registry/domain/create-receipt.ts',
      find: 'contractAddress: addressOf(receipt.contractAddress),',
      replace:
        "contractAddress: isMutant ? `0x${'0'.repeat(40)}` : addressOf(receipt.contractAddress),",
    },
  ],
}
