import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V51',
  deviation: 'lets a session that failed succeed',
  patches: [
    {
      file: 'services/verifier/routes/post-response.ts',
      find: "session.status === 'PENDING'",
      replace: "(session.status === 'PENDING' || (isMutant && session.status === 'FAILED'))",
    },
    {
      file: 'services/verifier/adapters/create-session-store.ts',
      find: 'const { numUpdatedRows } = await database',
      replace: `if (isMutant && status === 'SUCCESS') {
        const again = database.updateTable('verification_sessions').set({ status: 'PENDING' })
        await again.where('session_id', '=', sessionId).where('status', '=', 'FAILED').execute()
      }
      const { numUpdatedRows } = await database`,
    },
  ],
}
