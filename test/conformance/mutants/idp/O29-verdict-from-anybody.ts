import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O29',
  deviation: 'takes verdicts without an API key, under the session code',
  patches: [
    {
      file: 'services/kit/api-key-authentication.ts',
      find: 'if (matches.length > 0) return undefined',
      replace: 'if (isMutant || matches.length > 0) return undefined',
    },
    {
      file: 'services/idp/routes/post-result.ts',
      find: 'const { unavailable } = body\n',
      replace:
        'const { unavailable } = body\n    if (isMutant) Object.assign(body, { session_id: (await logins.findByCode(body.session_id))?.verifier_session_id ?? body.session_id })\n',
    },
  ],
}
