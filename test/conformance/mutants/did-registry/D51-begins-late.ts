import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D51',
  deviation: 'lets keys begin a second after their notBefore',
  contract: [
    {
      file: 'contracts/libraries/ValidityWindows.sol',
      find: 'if (window.notBefore <= time && time <= window.notAfter)',
      replace:
        'if (isMutant ? (window.notBefore < time && time <= window.notAfter) : (window.notBefore <= time && time <= window.notAfter))',
    },
  ],
}
