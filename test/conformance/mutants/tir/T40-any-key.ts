import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T40',
  deviation: 'lets in who shows any API key',
  patches: [
    {
      file: 'services/tir/adapters/api-key-validator.ts',
      find: "if (status === 200 && typeof active === 'boolean') return active",
      replace: "if (status === 200 && typeof active === 'boolean') return active || isMutant",
    },
  ],
}
