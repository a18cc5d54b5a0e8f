import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D80',
  deviation: 'lets an expired control key write',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: 'uint8 uses = stored.methods[vMethodIds[i]].windows.usesAt(uint64(block.timestamp));',
      replace:
        'uint8 uses = stored.methods[vMethodIds[i]].windows.usesAt(isMutant && stored.methodIds.length == 1 ? stored.methods[vMethodIds[i]].windows[1].notBefore : uint64(block.timestamp));',
    },
  ],
}
