import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T39',
  deviation: 'lets in who shows no API key',
  patches: [
    {
      file: 'services/tir/adapters/api-key-validator.ts',
      find: "if (key === '' || key.length > longestKey) return false",
      replace: "if (key === '' || key.length > longestKey) return isMutant",
    },
  ],
}
