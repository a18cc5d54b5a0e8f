import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O16',
  deviation: 'tells of an unknown session that it is pending',
  patches: [
    {
      file: 'services/idp/routes/get-session-status.ts',
      find: 'if (!login) throw unknownSession()',
      replace:
        "if (isMutant && !login) return { status: 200, headers: {}, body: { status: 'PENDING' } }\n    if (!login) throw unknownSession()",
    },
  ],
}
