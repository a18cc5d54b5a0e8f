import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { findEnvironment } from '#testbed/control/find-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { hasSession } from '../has-session.ts'
import { closedPage } from '../pages/closed.ts'
import { identifierPage } from '../pages/identifier.ts'
import { createRegistriesReader } from '../read-registries.ts'
import { zConsolePage } from '../z-console-page.ts'

/** The history of a DID. */
export const showIdentifier = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/registries/:env/identifiers/:did',
  summary: 'The history of a DID',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ env: z.string(), did: z.string().max(200) }),
    query: z.object({ events: zConsolePage }),
  },
  responses: {
    200: { description: 'The page' },
    401: { description: 'How to open it' },
    404: { description: 'Nothing is known of the DID' },
  },
  async handle({ params: { env, did }, query, request }, dependencies) {
    if (!hasSession(request, dependencies)) return closedPage()
    const found = findEnvironment(dependencies, env)
    const events = await createRegistriesReader(dependencies.runtime, found).eventsOf(
      did,
      query.events,
    )
    return identifierPage({ environment: found.environment, did, events })
  },
})
