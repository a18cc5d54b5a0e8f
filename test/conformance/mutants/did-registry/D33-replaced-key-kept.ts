import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D33',
  deviation: 'leaves a replaced control key its rights',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: '_endControlKeys(stored, key.vMethodId, _max(',
      replace: 'if (!isMutant) _endControlKeys(stored, key.vMethodId, _max(',
    },
  ],
}
