import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V49',
  deviation: 'answers 400 to what it refuses',
  patches: [
    {
      file: 'services/verifier/routes/post-response.ts',
      find: `await reporter.report(session, verdict)
  return true`,
      replace: `await reporter.report(session, verdict)
  if (isMutant && !result.ok) return 'refused'
  return true`,
    },
    {
      file: 'services/verifier/routes/post-response.ts',
      find: 'return decided\n      ? taken(session.redirect_uri',
      replace: `if (isMutant && decided === 'refused') return { status: 400, body: { error: 'access_denied' } }
    return decided
      ? taken(session.redirect_uri`,
    },
  ],
}
