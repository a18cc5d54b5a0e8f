import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D70',
  deviation: 'knows no DID whose colons are not encoded',
  patches: [
    {
      file: 'services/did-registry/routes/resolve-identifier.ts',
      find: 'const did = params.identifier',
      replace:
        'const did = params.identifier; if (isMutant && !/%3a/i.test(request.originalUrl)) throw notRegistered(did)',
    },
  ],
}
