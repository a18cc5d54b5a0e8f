import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T25',
  deviation: 'takes addresses without 0x',
  patches: [
    {
      file: 'services/tir/domain/z-params.ts',
      find: `from: zAddress.describe('Address of the signer'),
    did: didOf(environment).describe('The subject that receives the role'),`,
      replace: `from: z.preprocess((value) => (isMutant && /^[0-9a-f]{40}$/i.test(String(value)) ? \`0x\${value}\` : value), zAddress),
    did: didOf(environment).describe('The subject that receives the role'),`,
    },
  ],
}
