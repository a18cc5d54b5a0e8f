import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I84',
  deviation: 'leaves the time of the last update out of records',
  patches: [
    {
      file: 'services/issuer/routes/post-credential-list.ts',
      find: 'update_at: new Date(row.updated_at).toISOString(),',
      replace: '...(isMutant ? {} : { update_at: new Date(row.updated_at).toISOString() }),',
    },
  ],
}
