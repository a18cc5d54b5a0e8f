import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T30',
  deviation: 'pads a revisionId that is too short',
  patches: [
    {
      file: 'services/tir/domain/z-params.ts',
      find: 'revisionId: zHash.describe(',
      replace:
        "revisionId: z.preprocess((value) => (isMutant && typeof value === 'string' && value.startsWith('0x') ? value.padEnd(66, '0') : value), zHash).describe(",
    },
  ],
}
