import { z } from 'zod'
import type { AnyRoute } from '#kit/define-route.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { identifierPage, registriesPage } from './page.ts'
import { createRegistriesReader } from './read-registries.ts'

/** The page number in an address; the first page if it is invalid. */
const zPage = z.coerce.number().int().min(1).max(1_000_000).catch(1)

/** The trusted issuers of an environment and the latest events of its DID registry. */
const showRegistries = definePage({
  path: '/registries/:env',
  room: 'registries',
  summary: 'The registries of an environment',
  params: z.object({ env: z.string() }),
  query: z.object({ events: zPage, issuers: zPage }),
  async render({ frame, params, query }, dependencies) {
    const found = findEnvironment(dependencies, params.env)
    const reader = createRegistriesReader(dependencies.runtime, found)
    const [issuers, events] = await Promise.all([
      reader.issuers(query.issuers),
      reader.events(query.events),
    ])
    return registriesPage(frame, { environment: found.environment, issuers, events })
  },
})

/** The history of a DID. */
const showIdentifier = definePage({
  path: '/registries/:env/identifiers/:did',
  room: 'registries',
  summary: 'The history of a DID',
  params: z.object({ env: z.string(), did: z.string().max(200) }),
  query: z.object({ events: zPage }),
  async render({ frame, params: { env, did }, query }, dependencies) {
    const found = findEnvironment(dependencies, env)
    const reader = createRegistriesReader(dependencies.runtime, found)
    const events = await reader.eventsOf(did, query.events)
    return identifierPage(frame, { environment: found.environment, did, events })
  },
})

/** The registries of the chosen environment. */
const showChosen = definePage({
  path: '/registries',
  room: 'registries',
  summary: 'The registries',
  render: ({ frame }) => ({
    status: 303,
    headers: { location: `/registries/${frame.environment}` },
  }),
})

export const registriesRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showChosen,
  showRegistries,
  showIdentifier,
]
