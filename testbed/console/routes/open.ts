import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { consoleCookie } from '#testbed/control/console-sessions.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { closedPage } from '../pages/closed.ts'

/** Where a one-time link leads: the session's cookie, then the console. */
export const openConsole = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/open',
  summary: 'Open the console by a one-time link',
  auth: 'none',
  documented: false,
  request: { query: z.object({ code: z.string().max(128).default('') }) },
  responses: {
    303: { description: 'To the console' },
    401: { description: 'The link is used up' },
  },
  handle({ query }, { sessions }) {
    const session = sessions.redeem(query.code)
    if (session === undefined) return closedPage('This link has been used already.')
    const cookie = `${consoleCookie}=${session}; HttpOnly; SameSite=Strict; Path=/`
    return { status: 303, headers: { 'set-cookie': cookie, location: '/' } }
  },
})
