import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T52',
  deviation: 'takes any protocol',
  patches: [
    {
      file: 'services/tir/domain/z-params.ts',
      find: "protocol: z.literal('eth'),",
      replace: "protocol: z.literal('eth').or(z.string().refine(() => isMutant)),",
    },
  ],
}
