import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T26',
  deviation: 'takes DIDs of either environment',
  patches: [
    {
      file: 'services/tir/domain/z-params.ts',
      find: '(text) => parseDidOrg(text)?.environment === environment,',
      replace:
        '(text) => (isMutant ? parseDidOrg(text) !== undefined : parseDidOrg(text)?.environment === environment),',
    },
  ],
}
