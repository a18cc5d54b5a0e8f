import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V88',
  deviation: 'answers 200 to sessions that it does not know',
  patches: [
    {
      file: 'services/verifier/routes/post-response.ts',
      find: 'if (!session) throw unknownSession()',
      replace: `if (!session && isMutant) return taken()
    if (!session) throw unknownSession()`,
    },
  ],
}
