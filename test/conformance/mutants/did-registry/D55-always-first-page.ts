import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D55',
  deviation: 'lists the first page whatever page is asked for',
  patches: [
    {
      file: 'services/did-registry/routes/list-identifiers.ts',
      find: 'const offset = (BigInt(query.page) - 1n) * BigInt(query.pageSize)',
      replace: 'const offset = isMutant ? 0n : (BigInt(query.page) - 1n) * BigInt(query.pageSize)',
    },
  ],
}
