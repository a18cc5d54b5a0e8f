import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T04',
  deviation: 'tells the immediate TAO as the root',
  patches: [
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'rootTao: attribute.rootTaoDid,',
      replace: 'rootTao: isMutant ? attribute.taoDid : attribute.rootTaoDid,',
    },
  ],
}
