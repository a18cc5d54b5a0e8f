import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T60',
  deviation: 'answers 404 for an attributeId that is no hex',
  patches: [
    {
      file: 'services/tir/routes/attribute-params.ts',
      find: ".regex(/^[0-9a-fA-F]+$/, 'must be hexadecimal, without 0x')",
      replace:
        ".refine((text) => (isMutant && !text.startsWith('0x')) || /^[0-9a-fA-F]+$/.test(text), 'must be hexadecimal, without 0x')",
    },
  ],
}
