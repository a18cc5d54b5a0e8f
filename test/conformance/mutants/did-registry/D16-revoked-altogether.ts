import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D16',
  deviation: 'revokes a key from its beginning',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `method.isRevoked = true;
        method.windows.end(_ALL_USES, notAfter);`,
      replace: `method.isRevoked = true;
        method.windows.end(_ALL_USES, isMutant ? 0 : notAfter);`,
    },
  ],
}
