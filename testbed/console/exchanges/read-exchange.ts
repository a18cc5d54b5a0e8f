import { explainRefusedRequest } from '#core/profile/refused-requests.ts'
import type { Hop } from '#kit/traces.ts'
import { type DescribedHop, describeHop } from '#scenarios/reports/describe-hops.ts'
import { createValueTable } from '#scenarios/reports/pack-run.ts'
import { asSentence } from '../frame/as-sentence.ts'

/** An exchange for `showMessages`: its messages and rules are numbers of values. */
export interface ReadableExchange {
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
export function readExchange(hop: Hop, documentationPath: string | undefined): ReadableExchange {
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
