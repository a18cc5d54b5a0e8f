import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import type { HttpAnswer, HttpClient } from '#scenarios/harness/http-client.ts'
import { broken, endCheck, type Finding, held, inconclusive } from '../../kit/check.ts'
import { classifyStatus, type ExpectedRefusal, findRefusal } from '../../kit/classify-answer.ts'
import { answersEverything } from '../../kit/read-pages.ts'
import { fetchOrNoAnswer } from '../../kit/recorded-http.ts'

/** Ends the check where an answer is none of the system's own: overload, outage, time-out. */
export function requireVerdict(answer: HttpAnswer): HttpAnswer {
  const { method, url, status } = answer
  const kind = classifyStatus(status)
  if (kind === 'accepted' || kind === 'refused') return answer
  endCheck(inconclusive(`${method} ${url} was answered with HTTP ${status}, which is no verdict`))
}

/** Requests by what is wrong with them, to follow `A request with`: `no did`. */
export type WrongRequests = Readonly<Record<string, () => Promise<HttpAnswer>>>

export interface EachRefusal extends Omit<ExpectedRefusal, 'what'> {
  /** The same request with nothing wrong: where it is refused, nothing is shown. */
  readonly control?: () => Promise<HttpAnswer>
}

/**
 * Sends the control, then one wrong request after the other, until one of them is not refused as it has
 * to be.
 */
export async function findEachRefused(
  requests: WrongRequests,
  { control, ...expected }: EachRefusal,
): Promise<Finding> {
  const accepted = control && (await control())
  if (accepted && classifyStatus(accepted.status) !== 'accepted') {
    const told = `A request with nothing wrong was answered HTTP ${accepted.status}`
    return inconclusive(`${told}, so that a refusal of others shows nothing`)
  }
  if (accepted && !saysSomething(accepted)) {
    const told =
      'A request with nothing wrong was answered with none of the JSON that is documented'
    return inconclusive(`${told}, so that an acceptance of others shows nothing either`)
  }
  for (const [wrong, send] of Object.entries(requests)) {
    const finding = findRefusal(await send(), { ...expected, what: `A request with ${wrong}` })
    if (finding.kind !== 'held') return finding
  }
  const all = Object.keys(requests)
  return held(`${all.length} were refused, those with: ${all.join('; ')}`)
}

/** A page that stands at every address, or an empty object, is no answer to what was asked. */
const saysSomething = ({ json }: HttpAnswer) =>
  typeof json === 'object' && json !== null && Object.keys(json).length > 0

/**
 * Sends what a client may send by mistake or in bad faith: none of it may be answered as a fault of
 * the server's own. 429, 503 and 504 are an overload or an outage, which is no verdict. Before it a
 * check has to see a request with nothing wrong succeed: what is not there has no faults either.
 */
export async function findNoServerError(
  requests: Readonly<Record<string, () => Promise<HttpAnswer>>>,
): Promise<Finding> {
  for (const [what, send] of Object.entries(requests)) {
    const { method, url, status } = await send()
    const told = `${what} was answered with HTTP ${status} by ${method} ${url}`
    if ([429, 503, 504].includes(status)) return inconclusive(told)
    if (status >= 500) {
      return broken(told, { verdictSource: 'HTTP status', expected: 'a 4xx', actual: status })
    }
  }
  return held(`None of ${Object.keys(requests).length} hostile requests was answered with a 5xx`)
}

/** Whether the interactive documentation is at an address, as a browser finds it. */
export async function findDocumentation(
  { fetch }: Pick<HttpClient, 'fetch'>,
  address: string,
): Promise<Finding> {
  const browser = createHttpBrowser([], {}, fetchOrNoAnswer(fetch))
  const page = await browser.get(address)
  const { url, status, headers } = page
  const kind = classifyStatus(status)
  const contentType = headers.get('content-type') ?? 'none'
  const told = `The interactive documentation: HTTP ${status} at ${url}, content type ${contentType}`
  if (kind !== 'accepted' && kind !== 'refused') return inconclusive(told)
  const isPage = status === 200 && /^(text\/html|application\/xhtml)/.test(contentType)
  if (isPage && (await answersEverything(browser, page))) {
    return inconclusive(`${told}; but the same page is at an address where nothing is`)
  }
  return isPage
    ? held(told)
    : broken(told, { expected: 'HTTP 200 with an HTML page', actual: status })
}

/** Bodies, as they are, that are no JSON object of any API, by what is in them. */
export const hostileBodies: Readonly<Record<string, string>> = {
  'an empty body': '',
  'half an object': '{"did":"did:org',
  null: 'null',
  'a list': '[]',
  'a list of nothing but null': '[null]',
  'a text': '"text"',
  'a number beyond all numbers': '1e999999',
  'a member named __proto__': '{"__proto__":{"did":"x"},"constructor":{"prototype":1}}',
  'deep nesting': `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`,
  'a NUL': '{"did":"did:org:uc-pre:z1\\u0000","from":"\\u0000"}',
  'half a surrogate pair': '{"did":"\\ud800","from":"\\udfff","alsoKnownAs":"\\ud800"}',
  'members of other types': '{"did":{"toString":1},"from":[],"alsoKnownAs":1,"notAfter":{}}',
  'a text of a million letters': `{"did":"${'a'.repeat(1_000_000)}"}`,
}
