import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T31',
  deviation: 'takes the JWT itself as attributeData',
  patches: [
    {
      file: 'services/tir/domain/z-params.ts',
      find: 'attributeData: zHexBytes\n',
      replace:
        "attributeData: z.preprocess((value) => (isMutant && typeof value === 'string' && value.includes('.') ? `0x${Buffer.from(value).toString('hex')}` : value), zHexBytes)\n",
    },
  ],
}
