import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I80',
  deviation: 'lists records as issued before they are confirmed',
  patches: [
    {
      file: 'services/issuer/routes/post-credential-list.ts',
      find: 'status: shownStatus(row.status, row.valid_until, now),',
      replace:
        "status: shownStatus(isMutant && row.status === 'pending' ? 'issued' : row.status, row.valid_until, now),",
    },
  ],
}
