import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { hasSession, zConsolePage } from '../dependencies.ts'
import { closedPage } from '../pages/page.ts'
import { identifierPage, registriesPage } from '../pages/registries.ts'
import { createRegistriesReader } from '../read-registries.ts'

/** The trusted issuers of an environment and the latest events of its DID registry. */
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
    404: { description: 'The DID is unknown' },
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
