import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { consoleCookie, zConsolePath } from '#testbed/control/authentication.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { bareFrameOf } from './define-page.ts'
import { documentationPath } from './documentation.ts'
import { closedPage } from './page.ts'

/**
 * The documentation and the reports have no script that keeps the key, and a report shows what
 * systems under test have sent: the home page keeps the key and leads there.
 */
const withoutConsole = [new RegExp(`^${documentationPath}`), /^\/runs\/[^/?]+\/report/]

/**
 * Target of a one-time link: sets the session's cookie, then redirects to the console. The key is
 * in the fragment, which browsers do not send: a script of the page keeps it.
 */
export const openConsole = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/open',
  summary: 'Open the console with a one-time link',
  auth: 'none',
  documented: false,
  request: {
    query: z.object({ code: z.string().max(128).default(''), to: zConsolePath.catch('/') }),
  },
  responses: {
    303: { description: 'To the console' },
    401: { description: 'The link was already used' },
  },
  handle({ query: { code, to }, request }, { sessions }) {
    const opened = sessions.redeem(code)
    if (opened === undefined) return closedPage(bareFrameOf(request), 'used')
    const location = withoutConsole.some((path) => path.test(to))
      ? `/#key=${opened.key}&to=${encodeURIComponent(to)}`
      : `${to}#key=${opened.key}`
    const cookie = `${consoleCookie}=${opened.session}; HttpOnly; SameSite=Strict; Path=/`
    return { status: 303, headers: { 'set-cookie': cookie, location } }
  },
})
