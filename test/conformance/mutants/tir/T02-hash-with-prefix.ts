import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T02',
  deviation: 'tells the hash with 0x',
  patches: [
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'hash: attributeId,',
      replace: 'hash: isMutant ? `0x${attributeId}` : attributeId,',
    },
  ],
}
