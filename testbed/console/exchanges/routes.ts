import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { html } from '#core/html/html.ts'
import { explainRefusedRequest } from '#core/profile/refused-requests.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { sendEvents } from '#kit/event-stream.ts'
import { type Language, languageOf } from '#kit/language.ts'
import type { Hop } from '#kit/traces.ts'
import { type DescribedHop, describeHop } from '#scenarios/reports/describe-hops.ts'
import { createValueTable } from '#scenarios/reports/pack-run.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import { claimMeanings } from '../claims.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { asSentence } from '../frame/as-sentence.ts'
import { definePage } from '../frame/define-page.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { type ExchangeLog, isShownIn, type LoggedExchange } from './exchange-log.ts'
import { createHar, createMermaid } from './export-exchanges.ts'
import type { Journey } from './journeys.ts'
import { exchangesTexts, nameOfJourney } from './texts.ts'

const showExchanges = definePage({
  path: '/exchanges',
  section: 'exchanges',
  summary: 'The exchanges between the parts as they happen',
  render: ({ frame }) => exchangesPage(frame),
})

const namedJourney = (language: Language, journey: Journey) => ({
  id: journey.id,
  kind: journey.kind,
  outcome: journey.outcome,
  count: journey.count,
  at: journey.at,
  name: nameOfJourney(language, journey),
})

/** A message of the stream: new lines, the state of their journeys, and journeys that were joined. */
function describeBatch(
  language: Language,
  { journeys }: ExchangeLog,
  batch: readonly LoggedExchange[],
) {
  const ids = new Set(batch.map(({ line }) => line.journey))
  const current = [...ids].flatMap((id) => journeys.find(id) ?? [])
  const absorbed = batch.flatMap((each) => each.absorbed.map((id) => [id, each.journey.id]))
  return {
    lines: batch.map(({ line }) => line),
    journeys: [...new Map(current.map((each) => [each.id, namedJourney(language, each)])).values()],
    absorbed,
  }
}

/** Milliseconds in which exchanges are collected for one message of the stream. */
const collecting = 40

const streamExchanges = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/exchanges/stream',
  summary: 'Exchanges as rows of a diagram, with their journeys, as server-sent events',
  auth: 'control',
  documented: false,
  request: {
    query: z.object({
      env: z.string().max(64),
      since: z.coerce.number().int().min(0).default(0),
      text: z.string().max(200).default(''),
    }),
  },
  responses: {
    200: {
      description: 'An event `start` with the words of the diagram, then events `exchanges`',
      contentType: 'text/event-stream',
    },
  },
  errors: ['invalid_request', 'unknown_environment'],
  async handle({ query: { env, since, text }, request, response }, dependencies) {
    const { traces, exchanges: log, stopping } = dependencies
    const { environment, collectHops } = findEnvironment(dependencies, env)
    await collectHops()
    const language = languageOf(request)
    const toEvent = (event: string, data: unknown) =>
      `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    const { words, parts, page } = exchangesTexts[language]
    const { newest } = page
    const opening = toEvent('start', {
      words: {
        ...frameTexts[language].refusal,
        ...words,
        newest,
        parts,
        claims: claimMeanings(language),
      },
    })
    let last = since
    await sendEvents(response, {
      stopping,
      opening,
      subscribe(notify) {
        let timer: NodeJS.Timeout | undefined
        const unsubscribe = traces.subscribe(() => {
          timer ??= setTimeout(() => {
            timer = undefined
            notify()
          }, collecting)
        })
        return () => {
          unsubscribe()
          clearTimeout(timer)
        }
      },
      *read() {
        log.catchUp()
        const all = log.since(last)
        last = all.at(-1)?.line.id ?? last
        const own = all.filter(({ line }) => isShownIn(environment, line.environment))
        const wanted = own.filter(({ line }) => contains(log, line.id, text))
        if (wanted.length > 0) yield toEvent('exchanges', describeBatch(language, log, wanted))
      },
    })
    return { status: 200 }
  },
})

/** Whether the text is anywhere in the recorded messages, in any case. */
function contains(log: ExchangeLog, id: number, text: string): boolean {
  if (text === '') return true
  const recorded = JSON.stringify(log.hopOf(id)) ?? ''
  return recorded.toLowerCase().includes(text.toLowerCase())
}

const readOne = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/exchanges/:id',
  summary: 'Request, response, tokens and rules of an exchange',
  auth: 'control',
  documented: false,
  request: { params: z.object({ id: z.coerce.number().int().min(1) }) },
  responses: { 200: { description: 'The exchange', body: z.unknown() } },
  errors: ['invalid_request', 'unknown_exchange'],
  handle({ params: { id } }, { exchanges, documentationPath }) {
    exchanges.catchUp()
    const hop = exchanges.hopOf(id)
    if (hop === undefined) throw unknownExchange(id)
    return {
      status: 200,
      body: readExchange(hop, documentationPath),
    }
  },
})

const createExchangesFile = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/exchanges/files',
  summary: 'Exchanges as a file',
  auth: 'control',
  documented: false,
  request: {
    body: z.strictObject({
      format: z.enum(['har', 'mermaid']),
      ids: z.array(z.int().min(1)).max(10_000),
    }),
  },
  responses: { 200: { description: 'The content', body: z.object({ content: z.string() }) } },
  errors: ['invalid_request'],
  handle({ body: { format, ids }, request }, { exchanges }) {
    const hops = ids.flatMap((id) => exchanges.hopOf(id) ?? [])
    const { parts } = exchangesTexts[languageOf(request)]
    const content =
      format === 'har' ? createHar(hops) : createMermaid(hops, (part) => parts[part] ?? part)
    return { status: 200, body: { content } }
  },
})

const unknownExchange = (id: number) =>
  new TestbedError({
    code: 'unknown_exchange',
    status: 404,
    message: `Exchange ${id} is not recorded. The oldest exchanges are dropped.`,
  })

export const exchangesRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showExchanges,
  streamExchanges,
  readOne,
  createExchangesFile,
]

/** An exchange for `showMessages`: its messages and rules are numbers of values. */
interface ReadableExchange {
  readonly hop: Omit<DescribedHop, 'request' | 'response' | 'rules'> & {
    readonly request?: number
    readonly response?: number
    readonly rules?: number
  }
  readonly values: Readonly<Record<number, unknown>>
}

/**
 * The address of a paragraph of the profile, `docs/profile/PAGE.md#ID`, in the documentation that
 * the console serves: the built site, or its Markdown.
 */
function documentationHref(
  documentationPath: string | undefined,
  paragraph: string | undefined,
): string | undefined {
  if (documentationPath === undefined || paragraph === undefined) return undefined
  const isSite = !documentationPath.endsWith('.md')
  const path = paragraph.replace(/^docs\//, '/docs/')
  return isSite ? path.replace(/\.md(?=#|$)/, '') : path
}

/**
 * Request, response and rules of an exchange, with each token decoded once. A rejection without an
 * evaluated rule has the requirement of the profile that the request does not meet.
 */
function readExchange(hop: Hop, documentationPath: string | undefined): ReadableExchange {
  const table = createValueTable()
  const { request, response, rules = [], ...line } = describeHop({ ...hop, step: 0 })
  const isExplained = rules.some(({ passed }) => !passed)
  const unmet = isExplained ? undefined : explainRefusedRequest(hop)
  const all = unmet === undefined ? rules : [...rules, { ...unmet, passed: false }]
  const linked = all.map((rule) => {
    const href = documentationHref(documentationPath, rule.paragraph)
    const { reasons } = rule
    const shown = { ...rule, ...(reasons && { reasons: reasons.map(asSentence) }) }
    return href === undefined ? shown : { ...shown, href }
  })
  const numbers = {
    ...(request && { request: table.add(request) }),
    ...(response && { response: table.add(response) }),
    ...(linked.length > 0 && { rules: table.add(linked) }),
  }
  const reached = table.reach(Object.values(numbers))
  const values = [...reached].map((number) => [number, JSON.parse(table.jsonOf(number))])
  return { hop: { ...line, ...numbers }, values: Object.fromEntries(values) }
}

/** The page of the live exchanges; its module draws the diagram and fills in the journeys. */
function exchangesPage(frame: Frame): Reply {
  const { title, lead, page: texts, parts } = exchangesTexts[frame.language]
  return consolePage(frame, {
    title,
    section: 'exchanges',
    script: 'exchanges.js',
    style: 'exchanges.css',
    data: { texts },
    body: html`<p class="lead">${lead}</p>
<form id="filter" role="search">
<p><label for="journey">${texts.journey}</label>
<select id="journey" name="journey">
<option value="">${texts.current}</option>
<option value="all">${texts.all}</option>
</select></p>
<p><label for="part">${texts.part}</label>
<select id="part" name="part">
<option value="">${texts.anyPart}</option>
${Object.entries(parts).map(([part, name]) => html`<option value="${part}">${name}</option>`)}
</select></p>
<p><label for="status">${texts.status}</label>
<select id="status" name="status">
<option value="">${texts.anyStatus}</option>
<option value="failing">${texts.failing}</option>
<option value="redirect">${texts.redirect}</option>
<option value="success">${texts.success}</option>
</select></p>
<p><label for="text">${texts.text}</label>
<input id="text" name="text" type="search" maxlength="200" autocomplete="off"></p>
</form>
<div class="row apart">
<p id="count" class="soft"></p>
<div class="actions">
<button type="button" class="button small" id="pause" aria-pressed="false">${texts.pause}</button>
<button type="button" class="button small" id="clear">${texts.clear}</button>
<button type="button" class="button small" id="link">${texts.link}</button>
<span class="row export" role="group" aria-label="${texts.export}">
<button type="button" class="button small" data-export="svg">SVG</button>
<button type="button" class="button small" data-export="mermaid">Mermaid</button>
<button type="button" class="button small" data-export="har">HAR</button>
</span>
</div>
</div>
<p id="message" role="status"></p>
<div id="diagram"></div>
<section id="exchange" class="card" aria-labelledby="exchange-title" hidden>
<h2 class="hidden">${texts.selected}</h2>
<div class="row apart">
<h3 id="exchange-title" tabindex="-1"></h3>
<div class="actions">
<button type="button" class="button small" id="previous">${texts.previous}</button>
<button type="button" class="button small" id="next">${texts.next}</button>
<button type="button" class="button small" id="close">${texts.close}</button>
</div>
</div>
<div id="exchange-content" class="exchange-view"></div>
</section>`,
  })
}
