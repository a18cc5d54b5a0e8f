import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V50',
  deviation: 'lets a later post end an accepted session',
  patches: [
    {
      file: 'services/verifier/routes/post-response.ts',
      find: "session.status === 'PENDING'",
      replace: "(session.status === 'PENDING' || (isMutant && session.status === 'SUCCESS'))",
    },
    {
      file: 'services/verifier/adapters/create-session-store.ts',
      find: ".where('status', '=', 'PENDING')",
      replace:
        ".where('status', 'in', isMutant && status === 'FAILED' ? ['PENDING', 'SUCCESS'] : ['PENDING'])",
    },
  ],
}
