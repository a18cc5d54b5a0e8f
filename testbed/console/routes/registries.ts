import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { findEnvironment } from '#testbed/control/find-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { hasSession } from '../has-session.ts'
import { closedPage } from '../pages/closed.ts'
import { registriesPage } from '../pages/registries.ts'
import { createRegistriesReader } from '../read-registries.ts'
import { zConsolePage } from '../z-console-page.ts'

/** The trusted issuers of an environment and what happened last in its DID registry. */
export const showRegistries = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/registries/:env',
  summary: 'The registries of an environment',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ env: z.string() }),
    query: z.object({ events: zConsolePage, issuers: zConsolePage }),
  },
  responses: {
    200: { description: 'The page' },
    401: { description: 'How to open it' },
  },
  async handle({ params: { env }, query, request }, dependencies) {
    if (!hasSession(request, dependencies)) return closedPage()
    const found = findEnvironment(dependencies, env)
    const reader = createRegistriesReader(dependencies.runtime, found)
    const [issuers, events] = await Promise.all([
      reader.issuers(query.issuers),
      reader.events(query.events),
    ])
    return registriesPage({ environment: found.environment, issuers, events })
  },
})
