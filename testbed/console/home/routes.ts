import { z } from 'zod'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { type Language, languageOf } from '#kit/language.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import { readHealth } from '#testbed/services/addresses.ts'
import type { RunningEnvironment } from '#testbed/services/running-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { createEnvironmentFinder, isShownIn } from '../exchanges/environment-of-hop.ts'
import { readBlockNumber } from '../frame/block-number.ts'
import { definePage } from '../frame/define-page.ts'
import { clientNamesOf, createNames } from '../names.ts'
import { describeActivity } from './activity.ts'
import { activityTexts } from './activity-texts.ts'
import { homePage } from './page.ts'

const shownActivities = 30
/** More would take too long to read again after every burst. */
const readHops = 1500

/** The beginning of the identifier, `z16SWra7…`: that of the method is the same for all. */
const shortDid = (did: string) => `${did.split(':').at(-1)?.slice(0, 8)}…`

/**
 * What happened in an environment since the testbed was ready, newest first, and the last exchange
 * that it covers.
 */
async function readActivity(
  language: Language,
  { environment, context, collectHops }: RunningEnvironment,
  { traces, startedAt }: ConsoleDependencies,
) {
  await collectHops()
  const recorded = traces.since(0)
  const environmentOf = createEnvironmentFinder()
  // Before the filter: of a service in another process, an email arrives before its request.
  for (const hop of recorded) environmentOf(hop)
  const hops = recorded
    .filter((hop) => hop.at >= startedAt && isShownIn(environment, environmentOf(hop)))
    .slice(-readHops)
  const clients = clientNamesOf(language, context)
  const names = createNames(language, context)
  const activity = describeActivity(hops, {
    texts: activityTexts[language],
    clientName: (id) => clients[id] ?? id,
    organizationName: (did) => names.of(did) ?? shortDid(did),
  })
  const last = recorded.at(-1)?.id ?? 0
  return { activity: activity.slice(-shownActivities).reverse(), last }
}

const showHome = definePage({
  path: '/',
  room: 'home',
  summary: 'The console',
  async render({ frame, language, running }, dependencies) {
    const { addresses } = dependencies
    const activity = await readActivity(language, running, dependencies)
    return homePage(frame, { addresses, ...activity })
  },
})

const listActivity = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/activity',
  summary: 'What happened recently, as sentences',
  auth: 'control',
  documented: false,
  request: { query: z.object({ env: z.string().max(64) }) },
  responses: {
    200: {
      description: 'Newest first',
      body: z.object({ activity: z.array(z.unknown()), last: z.int() }),
    },
  },
  errors: ['invalid_request', 'unknown_environment'],
  async handle({ request, query }, dependencies) {
    const running = findEnvironment(dependencies, query.env)
    const body = await readActivity(languageOf(request), running, dependencies)
    return { status: 200, headers: { 'cache-control': 'no-store' }, body }
  },
})

/** The chain only supports JSON-RPC. */
async function readChainHealth(running: RunningEnvironment) {
  const isAway = (await readBlockNumber(running)) === undefined
  return { url: running.context.urls.chain, ...(isAway && { problem: 'no answer' }) }
}

/** Current health of every service. */
const readConsoleHealth = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/control/health',
  summary: 'Health of every service and chain',
  auth: 'control',
  responses: {
    200: {
      description:
        'By address; `problem` if a service does not work, `degraded` if a dependency is unavailable',
      body: z.object({
        services: z.array(
          z.object({
            url: z.string(),
            problem: z.string().optional(),
            degraded: z.string().optional(),
          }),
        ),
      }),
    },
  },
  async handle(_input, { addresses, environments }) {
    const services = await Promise.all([
      ...addresses.flatMap(({ url, healthUrl }) =>
        healthUrl === undefined
          ? []
          : [readHealth(healthUrl).then((health) => ({ url, ...health }))],
      ),
      ...[...environments.values()].map(readChainHealth),
    ])
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: { services } }
  },
})

const zDocument = z.object({ info: z.object({ version: z.string() }) })

/** The version of each API, from its OpenAPI document; empty for a service that does not answer. */
const readVersions = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/versions',
  summary: 'Version of the API of every service',
  auth: 'control',
  documented: false,
  responses: {
    200: { description: 'By address', body: z.record(z.string(), z.string()) },
  },
  async handle(_input, { addresses }) {
    const versions = await Promise.all(
      addresses.map(async ({ url, docsUrl }) => {
        if (docsUrl === undefined) return []
        const signal = AbortSignal.timeout(5000)
        const answer = await fetch(`${docsUrl}/openapi.json`, { signal, redirect: 'manual' })
          .then((response) => response.json())
          .catch(() => undefined)
        const version = zDocument.safeParse(answer).data?.info.version
        return version === undefined ? [] : [[url, version] as const]
      }),
    )
    return { status: 200, body: Object.fromEntries(versions.flat()) }
  },
})

export const homeRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showHome,
  listActivity,
  readConsoleHealth,
  readVersions,
]
