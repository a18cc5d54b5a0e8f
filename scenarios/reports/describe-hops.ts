import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { decodePercent } from '#core/text/decode-percent.ts'
import type { ScenarioHop, ScenarioResult } from '#scenarios/harness/z-results.ts'

/** A request or a response in readable form, without empty members. */
interface DescribedMessage {
  /** Without its query; absent for a plain path, which is in the label. */
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: unknown
  readonly body?: unknown
}

type RuleVerdict = NonNullable<ScenarioHop['rules']>[number]

/** A rule with its paragraph in the profile, if it is broken. */
type DescribedRule = RuleVerdict & { readonly paragraph?: string }

export interface DescribedHop {
  readonly step: number
  readonly from: string
  readonly to: string
  readonly label: string
  /** For a program, whose exit code is the status. */
  readonly kind?: 'command'
  readonly status: number
  /** Unix time in milliseconds, by the clock of the recording part. */
  readonly at: number
  readonly milliseconds: number
  readonly request?: DescribedMessage
  readonly response?: DescribedMessage
  readonly rules?: readonly DescribedRule[]
}

function describeRule(verdict: RuleVerdict): DescribedRule {
  const paragraph = verdict.passed ? undefined : paragraphOfRule(verdict.rule)
  return paragraph === undefined ? verdict : { ...verdict, paragraph }
}

/** A hop in the form that a report shows: one line, and the two messages in parts. */
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
    ...(rules.length > 0 && { rules: rules.map(describeRule) }),
  }
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

/** A query string is easier to read as an object. */
function queryOf(url: string): Record<string, string> | undefined {
  const start = url.indexOf('?')
  if (start === -1) return undefined
  const parameters = Object.fromEntries(new URLSearchParams(url.slice(start + 1)))
  return Object.keys(parameters).length === 0 ? undefined : parameters
}

const addressOf = (url: string) =>
  /^https?:/.test(url) ? { address: url.replace(/\?.*$/s, '') } : {}

/** Members of a form that contain JSON are easier to read as values. */
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

/** Equal hops in a row, such as the calls of a page that polls. */
export interface HopGroup {
  /** Number of its first hop in the scenario, from 1. */
  readonly number: number
  readonly first: ScenarioHop
  readonly hops: readonly ScenarioHop[]
}

const withoutQuery = ({ url }: ScenarioHop) => url.split('?', 1)[0] ?? url

/** The path of an address without its query, readable: a DID in it keeps its colons. */
function pathOf(hop: ScenarioHop): string {
  const path = withoutQuery(hop).replace(/^https?:\/\/[^/]+(?=\/)/, '')
  return decodePercent(path) ?? path
}

/** The label of an exchange: method and path, or only the chain's method. */
export const labelOf = (hop: ScenarioHop) =>
  hop.kind === 'chain' ? pathOf(hop) : `${hop.method} ${pathOf(hop)}`

const alike = (one: ScenarioHop, other: ScenarioHop) =>
  one.step === other.step &&
  one.from === other.from &&
  one.to === other.to &&
  one.method === other.method &&
  one.status === other.status &&
  withoutQuery(one) === withoutQuery(other)

/** Groups hops that a diagram would show identically. */
export function groupHops(hops: readonly ScenarioHop[]): HopGroup[] {
  const groups: { number: number; first: ScenarioHop; hops: ScenarioHop[] }[] = []
  for (const [index, hop] of hops.entries()) {
    const last = groups.at(-1)
    if (last && alike(last.first, hop)) last.hops.push(hop)
    else groups.push({ number: index + 1, first: hop, hops: [hop] })
  }
  return groups
}

/**
 * Position of the exchange at which a scenario failed: the last one that it made itself in the step
 * that failed, and so the last that it saw. Undefined if it passed, or if that step made no
 * exchange.
 */
export function findFailedHop({
  verdict,
  steps,
  hops,
  check,
}: Pick<ScenarioResult, 'verdict' | 'steps' | 'hops' | 'check'>): number | undefined {
  // A check is decided by all observations, which may precede the last exchange.
  if (verdict !== 'failed' || check !== undefined) return undefined
  const failedStep = steps.findLastIndex((step) => step.verdict === 'failed') + 1
  // Requests that a part makes in order to answer carry the request id of the original request.
  const answered = new Set<string>()
  let found: number | undefined
  for (const [position, { step, requestId }] of hops.entries()) {
    const isInner = requestId !== undefined && answered.has(requestId)
    if (requestId !== undefined) answered.add(requestId)
    if (step === failedStep && !isInner) found = position
  }
  return found
}
