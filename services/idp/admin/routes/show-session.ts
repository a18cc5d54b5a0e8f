import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineAdminPage } from '../define-admin-page.ts'
import { sessionPage } from '../pages/session-page.ts'
import { readClientNames } from './read-client-names.ts'

/** One verification session with what its verdict rests on. */
export const showSession = defineAdminPage({
  path: '/admin/sessions/:code',
  summary: 'A verification session',
  async handle({ session, params }, dependencies) {
    const { logins, admin, runtime } = dependencies
    const code = params.code ?? ''
    const login = /^[\w-]{1,128}$/.test(code) ? await logins.findByCode(code) : undefined
    if (login === undefined) {
      throw new TestbedError({
        code: 'not_found',
        status: 404,
        message: 'There is no such session, or it is no longer kept.',
      })
    }
    return sessionPage({
      session,
      login,
      explanation: await admin.explanations.find(login.verifier_session_id),
      clientNames: await readClientNames(dependencies),
      now: runtime.clock.seconds(),
    })
  },
})
