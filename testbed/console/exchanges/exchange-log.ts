import type { Hop } from '#kit/traces.ts'
import { labelOf } from '#scenarios/reports/describe-hops.ts'
import type { TraceBuffer } from '#testbed/process/traces.ts'
import { createJourneyBook, type Journey, type JourneyOfHop } from './journeys.ts'

/** An exchange as one row of a diagram shows it, or as one more of a row that is there. */
export interface ExchangeLine
  extends Pick<Hop, 'id' | 'environment' | 'at' | 'from' | 'to' | 'kind' | 'status'> {
  /** The id of the row that it is part of; its own id if it begins a row. */
  readonly row: number
  /** The row above which it is inserted: an exchange ends after those that it caused. */
  readonly before?: number
  readonly journey: number
  readonly label: string
  readonly milliseconds: number
  /** How many rules the answering part evaluated, and how many of them are broken. */
  readonly rules: number
  readonly broken: number
}

export interface LoggedExchange {
  readonly line: ExchangeLine
  readonly journey: Journey
  readonly absorbed: JourneyOfHop['absorbed']
}

/** The recorded hops as rows of a diagram, and their journeys. */
export interface ExchangeLog {
  /** Reads the hops that were recorded since the last call. */
  catchUp(): void
  /** Exchanges with an id above `since`, in the order of their ids. */
  since(since: number): readonly LoggedExchange[]
  readonly journeys: ReturnType<typeof createJourneyBook>
  /** Undefined if it is not recorded any more. */
  hopOf(id: number): Hop | undefined
}

/** Exchanges that are remembered; the trace buffer holds about as many. */
const mostExchanges = 5000

/** The last rows, among which the row of an exchange is searched. */
const lookBack = 60

/** Milliseconds between equal requests of something that polls. */
const pollingPause = 10_000

interface Row {
  readonly id: number
  readonly hop: Hop
  readonly journey: number
  readonly answer: string
  last: Hop
}

/** Reads the hops of a trace buffer only when asked: describing them takes time. */
export function createExchangeLog(traces: Pick<TraceBuffer, 'since'>): ExchangeLog {
  const journeys = createJourneyBook()
  const environmentOf = createEnvironmentFinder()
  let exchanges: LoggedExchange[] = []
  let hops = new Map<number, Hop>()
  let rows: Row[] = []
  let last = 0

  function place(hop: Hop, journey: number): Pick<ExchangeLine, 'row' | 'before'> {
    const recent = rows.slice(-lookBack)
    const answer = JSON.stringify(hop.responseBody) ?? ''
    const alike = recent.findLast((row) => isRepeated(row, hop, { journey, answer }, rows.at(-1)))
    if (alike) {
      alike.last = hop
      return { row: alike.id }
    }
    const inner = recent.findIndex((row) => isWithin(row.hop, hop))
    const row: Row = { id: hop.id, hop, journey, answer, last: hop }
    const before = recent[inner]?.id
    if (before === undefined) rows.push(row)
    else rows.splice(rows.length - recent.length + inner, 0, row)
    return before === undefined ? { row: hop.id } : { row: hop.id, before }
  }

  return {
    journeys,
    catchUp() {
      for (const hop of traces.since(last)) {
        last = hop.id
        const environment = environmentOf(hop)
        const { journey, absorbed } = journeys.add(hop, environment)
        const line = {
          ...describe(hop),
          ...place(hop, journey.id),
          journey: journey.id,
          ...(environment !== undefined && { environment }),
        }
        exchanges.push({ line, journey, absorbed })
        hops.set(hop.id, hop)
      }
      if (exchanges.length <= mostExchanges) return
      exchanges = exchanges.slice(-mostExchanges)
      const first = exchanges[0]?.line.id ?? 0
      hops = new Map([...hops].filter(([id]) => id >= first))
      rows = rows.slice(-lookBack)
    },
    since: (since) => exchanges.filter(({ line }) => line.id > since),
    hopOf: (id) => hops.get(id),
  }
}

function describe(hop: Hop): Omit<ExchangeLine, 'row' | 'journey' | 'environment'> {
  const { id, at, from, to, kind, status, durationMilliseconds, rules = [] } = hop
  return {
    id,
    at,
    from,
    to,
    kind,
    label: labelOf({ ...hop, step: 0 }),
    status,
    milliseconds: Math.round(durationMilliseconds * 10) / 10,
    rules: rules.length,
    broken: rules.filter(({ passed }) => !passed).length,
  }
}

/** Whether the exchange is one more of a row: the next equal one, or the same poll. */
function isRepeated(
  row: Row,
  hop: Hop,
  { journey, answer }: Pick<Row, 'journey' | 'answer'>,
  lastRow: Row | undefined,
): boolean {
  const { from, to, method, status, url } = row.hop
  const isAlike =
    row.journey === journey &&
    from === hop.from &&
    to === hop.to &&
    method === hop.method &&
    status === hop.status
  if (!isAlike) return false
  if (row === lastRow && withoutQuery(url) === withoutQuery(hop.url)) return true
  const isPoll = method === 'GET' && url === hop.url && row.answer === answer
  return isPoll && Math.abs(hop.at - row.last.at) < pollingPause
}

const withoutQuery = (url: string) => url.split('?', 1)[0]

/** Whether `inner` happened in order to answer `outer`, which ended later. */
const isWithin = (inner: Hop, outer: Hop): boolean =>
  inner.requestId !== undefined &&
  inner.requestId === outer.requestId &&
  inner.from === outer.to &&
  inner.at >= outer.at

/** Requests whose environment is remembered; an email arrives while its request is answered. */
const mostRequests = 2000

/**
 * Creates a function that returns the environment of a hop; call it with hops in the order of their
 * ids. All environments share the mail server: an email belongs to the environment of the request
 * that caused it, which is known if a part of that environment was asked before. Undefined otherwise.
 */
export function createEnvironmentFinder(): (hop: Hop) => string | undefined {
  const byRequest = new Map<string, string>()
  return ({ environment, requestId }) => {
    if (requestId === undefined) return environment
    if (environment === undefined) return byRequest.get(requestId)
    byRequest.set(requestId, environment)
    const [oldest] = byRequest.keys()
    if (byRequest.size > mostRequests && oldest !== undefined) byRequest.delete(oldest)
    return environment
  }
}

/** Whether a page of the environment shows a hop of `found`; hops without one are on every page. */
export const isShownIn = (environment: string, found: string | undefined): boolean =>
  found === undefined || found === environment
