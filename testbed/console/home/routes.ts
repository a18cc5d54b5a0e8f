import { z } from 'zod'
import { html, type SafeHtml } from '#core/html/html.ts'
import { displayTime } from '#core/text/display-time.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { type Language, languageOf } from '#kit/language.ts'
import { consoleCookie, zConsolePath } from '#testbed/control/authentication.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import { type Address, readHealth } from '#testbed/services/addresses.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { createEnvironmentFinder, isShownIn } from '../exchanges/exchange-log.ts'
import { readBlockNumber } from '../frame/block-number.ts'
import { bareFrameOf, definePage } from '../frame/define-page.ts'
import { documentationPath } from '../frame/documentation.ts'
import { closedPage, consolePage, type Frame, pathIn } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { clientNamesOf, createNames } from '../names.ts'
import { adminPanelForm } from '../sessions/routes.ts'
import { type Activity, describeActivity } from './activity.ts'
import { activityTexts } from './activity-texts.ts'
import { homeTexts, partName } from './texts.ts'

const shownActivities = 30
/** More would take too long to read again after every burst. */
const readHops = 1500

/** The beginning of the identifier, `z16SWra7…`: that of the method is the same for all. */
const shortDid = (did: string) => `${did.split(':').at(-1)?.slice(0, 8)}…`

/**
 * What happened in an environment since the testbed was ready, newest first, as a list, and the
 * last exchange that it covers.
 */
async function readActivity(
  language: Language,
  { environment, context, collectHops }: RunningEnvironment,
  { traces, startedAt, built, environments }: ConsoleDependencies,
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
  const frame = { language, environment, environments: [...environments.keys()], built }
  const now = context.runtime.clock.milliseconds()
  return { activity: activityList(frame, activity.slice(-shownActivities).reverse(), now), last }
}

type ListFrame = Pick<Frame, 'language' | 'environment' | 'environments' | 'built'>

/** Each event with its time, which has the day if it is not today's, and a link to its exchange. */
function activityList(frame: ListFrame, activity: readonly Activity[], now: number): SafeHtml {
  const texts = homeTexts[frame.language]
  if (activity.length === 0) return html`<p class="soft">${texts.nothingYet}</p>`
  const today = new Date(now).toISOString().slice(0, 10)
  const hasExchanges = frame.built.has('/exchanges')
  return html`<ol class="list activity">${activity.map(
    ({ id, at, tone, text, reason, isQuoted, times }) => {
      const iso = new Date(at).toISOString()
      const time = displayTime(iso)
      const address = pathIn(frame, `/exchanges?exchange=${id}`)
      return html`<li class="${tone}">
<time datetime="${iso}">${iso.startsWith(today) ? time.slice(11) : time}</time>
<span>${hasExchanges ? html`<a href="${address}">${text}</a>` : text}${reason && html`: <span${isQuoted && html` lang="en"`}>${reason}</span>`}
${times > 1 && html`<span class="badge">${texts.times.replace('{times}', String(times))}</span>`}</span>
</li>`
    },
  )}</ol>`
}

const showHome = definePage({
  path: '/',
  section: 'home',
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
  summary: 'What happened recently, as markup',
  auth: 'control',
  documented: false,
  request: { query: z.object({ env: z.string().max(64) }) },
  responses: {
    200: {
      description: 'The list, newest first',
      body: z.object({ markup: z.string() }),
    },
  },
  errors: ['invalid_request', 'unknown_environment'],
  async handle({ request, query }, dependencies) {
    const running = findEnvironment(dependencies, query.env)
    const { activity } = await readActivity(languageOf(request), running, dependencies)
    const body = { markup: activity.markup }
    return { status: 200, body }
  },
})

/** The chain only supports JSON-RPC. */
async function readChainHealth(running: RunningEnvironment) {
  const isAway = (await readBlockNumber(running)) === undefined
  return { url: running.context.urls.chain, ...(isAway && { problem: 'no response' }) }
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
    return { status: 200, body: { services } }
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

interface HomePageOptions {
  readonly addresses: readonly Address[]
  readonly activity: SafeHtml
  /** Id of the last exchange that the activity covers. */
  readonly last: number
}

/** The parts of the environment with their health, and what happened; `home.js` updates both. */
function homePage(frame: Frame, options: HomePageOptions): Reply {
  const { addresses, activity, last } = options
  const { language, environment } = frame
  const texts = homeTexts[language]
  const groups = [environment, 'testbed']
  const exchanges = frame.built.has('/exchanges') ? pathIn(frame, '/exchanges') : undefined
  return consolePage(frame, {
    title: texts.title,
    section: 'home',
    script: 'home.js',
    style: 'home.css',
    data: { last, texts },
    body: html`<p class="lead">${texts.lead}</p>
${quickStart(frame)}
<p class="row"><span id="summary" role="status" class="badge">${texts.checking}</span></p>
<div class="columns home">
<section class="card">
<h2>${texts.activity}</h2>
<div id="activity">${activity}</div>
${exchanges && html`<p><a href="${exchanges}">${texts.allExchanges}</a></p>`}
</section>
<section class="card">
<h2>${texts.parts}</h2>
${groups.map(
  (
    group,
  ) => html`<h3>${group === 'testbed' ? texts.shared : `${frameTexts[language].environment} ${group}`}</h3>
<ul class="list parts">${addresses.filter((each) => each.group === group).map((each) => part(language, each))}</ul>`,
)}
</section>
</div>`,
  })
}

/** Links to what a demonstration begins with, and the way into the admin panel. */
function quickStart(frame: Frame): SafeHtml {
  const texts = homeTexts[frame.language]
  const found = (
    [
      ['/tour', texts.tour],
      ['/portal', texts.portal],
      ['/relying-party', texts.logIn],
    ] as const
  ).filter(([path]) => frame.built.has(path))
  const links = found.map(
    ([path, text], index) =>
      html`<a class="button${index === 0 && ' primary'}" href="${pathIn(frame, path)}">${text}</a>`,
  )
  return html`<div class="actions">${links}${adminPanelForm(frame)}</div>`
}

function part(language: Language, { name, url, healthUrl, docsUrl }: Address): SafeHtml {
  const texts = homeTexts[language]
  // The health of the mail server includes SMTP.
  const isChecked = healthUrl !== undefined || name.startsWith('chain')
  return html`<li${isChecked && html` data-url="${url}"`}>
<p class="row apart"><strong>${partName(language, name)}</strong>${isChecked && html`<span class="badge health">${texts.checking}</span>`}</p>
<p class="where"><code>${url}</code> <span class="version"></span>
${docsUrl && html`<a href="${docsUrl}" aria-label="${texts.api}: ${partName(language, name)}">${texts.api}</a>`}</p>
<p class="fault" lang="en" hidden></p>
</li>`
}

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
