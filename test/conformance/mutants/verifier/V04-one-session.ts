import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V04',
  deviation: 'forgets all sessions but the latest',
  patches: [
    {
      file: 'services/verifier/adapters/create-session-store.ts',
      find: 'await purge()',
      replace: `await purge()
      if (isMutant) await database.deleteFrom('verification_sessions').execute()`,
    },
  ],
}
