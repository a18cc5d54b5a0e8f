import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D35',
  deviation: 'lets anybody replace the @context',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `(StoredDid storage stored, bytes32 didHash) = _requireController(did);
        stored.baseDocuments.record(baseDocument);
        emit BaseDocumentUpdated`,
      replace: `(StoredDid storage stored, bytes32 didHash) = isMutant ? _requireRegistered(did) : _requireController(did);
        stored.baseDocuments.record(baseDocument);
        emit BaseDocumentUpdated`,
    },
  ],
}
