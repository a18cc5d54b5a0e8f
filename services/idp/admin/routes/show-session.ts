import { unknownLogin } from '../../errors.ts'
import { defineAdminPage } from '../define-admin-page.ts'
import { sessionPage } from '../pages/session-page.ts'
import { readClientNames } from './read-client-names.ts'

/** One verification session with what its verdict rests on. */
export const showSession = defineAdminPage({
  path: '/admin/sessions/:code',
  summary: 'A verification session',
  async handle({ session, params }, dependencies) {
    const { logins, verifier, runtime } = dependencies
    const code = params.code ?? ''
    const login = /^[\w-]{1,128}$/.test(code) ? await logins.findByCode(code) : undefined
    if (login === undefined) {
      throw unknownLogin()
    }
    return sessionPage({
      session,
      login,
      explanation: await verifier.explain(login.verifier_session_id),
      clientNames: await readClientNames(dependencies),
      now: runtime.clock.seconds(),
    })
  },
})
