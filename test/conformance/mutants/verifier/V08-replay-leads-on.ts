import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V08',
  deviation: 'sends whoever posts again into the session',
  patches: [
    {
      file: 'services/verifier/routes/post-response.ts',
      find: `'a post to a session changed nothing')
      return taken()`,
      replace: `'a post to a session changed nothing')
      if (isMutant && session.status === 'SUCCESS') return taken(session.redirect_uri, responseCodeOf(session, dependencies.config))
      return taken()`,
    },
  ],
}
