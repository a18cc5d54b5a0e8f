import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T05',
  deviation: 'reads the type of a root as ROOT_TAO',
  patches: [
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'issuerType: shownIssuerTypes[attribute.issuerType],',
      replace:
        'issuerType: isMutant && attribute.taoDid === did ? attribute.issuerType : shownIssuerTypes[attribute.issuerType],',
    },
  ],
}
