import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D19',
  deviation: 'lets the new key of a roll begin at once',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: 'Relationship(use), successor.notBefore, notAfter);',
      replace: 'Relationship(use), isMutant ? 0 : successor.notBefore, notAfter);',
    },
  ],
}
