import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D58',
  deviation: 'tells a total that stands still',
  patches: [
    {
      file: 'services/did-registry/routes/list-identifiers.ts',
      find: 'const { total, items } = await contract.identifiers(offset, query.pageSize)',
      replace:
        'const { total: counted, items } = await contract.identifiers(offset, query.pageSize); const total = isMutant ? Math.min(counted, 2) : counted',
    },
  ],
}
