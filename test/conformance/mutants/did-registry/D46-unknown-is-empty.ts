import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D46',
  deviation: 'answers an empty document for a DID that is not registered',
  patches: [
    {
      file: 'services/did-registry/routes/resolve-identifier.ts',
      find: 'if (state === undefined) throw notRegistered(did, validAt)',
      replace:
        "if (isMutant && state === undefined) return { status: 200, body: { '@context': [], id: did, controller: [], verificationMethod: [], assertionMethod: [] } }\n    if (state === undefined) throw notRegistered(did, validAt)",
    },
  ],
}
