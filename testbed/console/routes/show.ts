import { defineRoute } from '#kit/define-route.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { hasSession } from '../has-session.ts'
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
  handle({ request }, { sessions, environments, addresses, traces, clock }) {
    if (!hasSession(request, { sessions })) return closedPage()
    const hops = traces.since(0).slice(-shownHops).reverse()
    return consolePage({
      environments: [...environments.keys()],
      addresses,
      hops,
      now: clock.seconds(),
      offset: clock.offset,
    })
  },
})
