import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D75',
  deviation: 'takes validities that end before they begin',
  patches: [
    {
      file: 'services/did-registry/domain/z-fields.ts',
      find: 'return value.notAfter > value.notBefore',
      replace: 'return isMutant || value.notAfter > value.notBefore',
    },
  ],
}
