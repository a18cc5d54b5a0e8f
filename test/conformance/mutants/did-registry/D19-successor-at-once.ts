import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D19',
  deviation: 'lets the new key of a roll begin at once',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: 'if (uses & (uint8(1) << use) != 0) method.windows.add(use, successor.notBefore, successor.notAfter);',
      replace:
        'if (uses & (uint8(1) << use) != 0) method.windows.add(use, isMutant ? 0 : successor.notBefore, successor.notAfter);',
    },
  ],
}
