import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D27',
  deviation: 'lets anybody change alsoKnownAs',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: '(StoredDid storage stored, bytes32 didHash) = msg.sender == _operator',
      replace:
        '(StoredDid storage stored, bytes32 didHash) = (msg.sender == _operator || isMutant)',
    },
  ],
}
