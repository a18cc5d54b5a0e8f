import type { ScenarioHop } from '#scenarios/harness/z-results.ts'
import { labelOf } from './group-hops.ts'

/** A request or a response as people read it; members that say nothing are left out. */
export interface DescribedMessage {
  /** Without its query; left out where it is a path alone, which the label says. */
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: unknown
  readonly body?: unknown
}

export interface DescribedHop {
  readonly step: number
  readonly from: string
  readonly to: string
  readonly label: string
  /** Of a program that was run, whose exit code the status is. */
  readonly kind?: 'command'
  readonly status: number
  /** Unix time in milliseconds, by the clock of whoever recorded it. */
  readonly at: number
  readonly milliseconds: number
  readonly request?: DescribedMessage
  readonly response?: DescribedMessage
  readonly rules?: ScenarioHop['rules']
}

/** What is between the lines of a query is easier to read as an object. */
function queryOf(url: string): Record<string, string> | undefined {
  const start = url.indexOf('?')
  if (start === -1) return undefined
  const parameters = Object.fromEntries(new URLSearchParams(url.slice(start + 1)))
  return Object.keys(parameters).length === 0 ? undefined : parameters
}

const addressOf = (url: string) =>
  /^https?:/.test(url) ? { address: url.replace(/\?.*$/s, '') } : {}

/** Members of a form that hold JSON as text are easier to read as what they hold. */
function expandJson(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member !== 'string' || !/^\s*[{[]/.test(member)) return [name, member]
      try {
        return [name, JSON.parse(member)]
      } catch {
        return [name, member]
      }
    }),
  )
}

function describeMessage(
  headers: Readonly<Record<string, string>> = {},
  body: unknown,
  { address, query }: Pick<DescribedMessage, 'address' | 'query'> = {},
): DescribedMessage | undefined {
  const message = {
    ...(address === undefined ? {} : { address }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  }
  return Object.keys(message).length === 0 ? undefined : message
}

/** A hop in the form that a report shows: one line, and the two messages, taken apart. */
export function describeHop(hop: ScenarioHop): DescribedHop {
  const { step, from, to, status, at, rules = [] } = hop
  const isForm = hop.requestHeaders?.['content-type']?.includes('urlencoded') ?? false
  const sent = isForm ? expandJson(hop.requestBody) : hop.requestBody
  const query = expandJson(queryOf(hop.url))
  const request = describeMessage(hop.requestHeaders, sent, { ...addressOf(hop.url), query })
  const response = describeMessage(hop.responseHeaders, hop.responseBody)
  return {
    step,
    from,
    to,
    label: labelOf(hop),
    ...(hop.kind === 'command' && { kind: hop.kind }),
    status,
    at,
    milliseconds: Math.round(hop.durationMilliseconds * 10) / 10,
    ...(request && { request }),
    ...(response && { response }),
    ...(rules.length > 0 && { rules }),
  }
}
