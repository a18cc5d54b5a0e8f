import { defineRoute } from '#kit/define-route.ts'
import { readConsoleCookie } from '#testbed/control/create-control-authentication.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { closedPage } from '../pages/closed.ts'
import { consolePage } from '../pages/console.ts'

const shownHops = 100

/** The console for whoever has its cookie; for others, how to get one. */
export const showConsole = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/',
  summary: 'The console',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'The page' }, 401: { description: 'How to open it' } },
  handle({ request }, { sessions, addresses, traces, clock }) {
    const session = readConsoleCookie(request)
    if (session === undefined || !sessions.isOpen(session)) {
      return closedPage('The console opens by the link that the testbed prints when it starts.')
    }
    const hops = traces.since(0).slice(-shownHops).reverse()
    return consolePage({ addresses, hops, now: clock.seconds(), offset: clock.offset })
  },
})
