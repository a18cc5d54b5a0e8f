import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D52',
  deviation: 'lets keys end a second before their notAfter',
  contract: [
    {
      file: 'contracts/libraries/ValidityWindows.sol',
      find: ': (window.notBefore <= time && time <= window.notAfter))',
      replace:
        ': (window.notBefore <= time && (isMutant ? time < window.notAfter : time <= window.notAfter)))',
    },
  ],
}
