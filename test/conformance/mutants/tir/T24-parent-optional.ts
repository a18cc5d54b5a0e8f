import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T24',
  deviation: 'takes a missing attributeIdTao for zeros',
  patches: [
    {
      file: 'services/tir/domain/z-params.ts',
      find: 'attributeIdTao: zHash.describe(',
      replace:
        "attributeIdTao: z.preprocess((value) => (isMutant ? (value ?? `0x${'0'.repeat(64)}`) : value), zHash).describe(",
    },
  ],
}
