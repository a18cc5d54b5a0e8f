import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I85',
  deviation: 'lists what was revoked as issued',
  patches: [
    {
      file: 'services/issuer/routes/post-credential-list.ts',
      find: 'rows.map((row) => createIssuedCredential(row, now))',
      replace: `rows.map((row) => ({
      ...createIssuedCredential(row, now),
      ...(isMutant && row.status === 'revoked' ? { status: 'issued' } : {}),
    }))`,
    },
  ],
}
