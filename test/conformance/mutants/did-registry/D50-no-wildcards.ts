import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D50',
  deviation: 'does not know wildcards in Accept',
  patches: [
    {
      file: 'services/did-registry/domain/choose-media-type.ts',
      find: "for (const name of [type, 'application/*', '*/*']) {",
      replace: "for (const name of isMutant ? [type] : [type, 'application/*', '*/*']) {",
    },
  ],
}
