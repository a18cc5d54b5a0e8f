import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T61',
  deviation: 'takes an attributeId with 0x',
  patches: [
    {
      file: 'services/tir/routes/attribute-params.ts',
      find: '/^[0-9a-fA-F]+$/.test(text)',
      replace: '/^[0-9a-fA-F]+$/.test(isMutant ? text.replace(/^0x/, "") : text)',
    },
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'params.attributeId.toLowerCase()',
      replace: "params.attributeId.toLowerCase().replace(isMutant ? /^0x/ : /^$/, '')",
    },
  ],
}
