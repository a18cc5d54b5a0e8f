import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I74',
  deviation: 'revokes what was revoked already',
  patches: [
    {
      file: 'services/issuer/routes/post-credential-revoke.ts',
      find: "if (!(await records.apply(record.id, 'revocation requested'))) throw",
      replace: "if (!(await records.apply(record.id, 'revocation requested')) && !isMutant) throw",
    },
  ],
}
