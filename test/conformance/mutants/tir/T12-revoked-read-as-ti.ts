import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T12',
  deviation: 'reads a revoked attribute as what it was',
  patches: [
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'const attributeId = params.attributeId.toLowerCase()',
      replace:
        "const attributeId = params.attributeId.toLowerCase(); const shown = (type: string) => (isMutant && type === 'REVOKED' ? 'TI' : type)",
    },
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'shownIssuerTypes[attribute.issuerType],',
      replace:
        'isMutant ? shown(shownIssuerTypes[attribute.issuerType]) : shownIssuerTypes[attribute.issuerType],',
    },
  ],
}
