import { isTestbedError } from '#core/errors/testbed-error.ts'
import { membersOf } from '#core/json/json-object.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from '#scenarios/harness/http-client.ts'
import {
  broken,
  type CheckBase,
  type CheckExpectation,
  type CheckRow,
  type CheckTexts,
  endCheck,
  type Finding,
  held,
  inconclusive,
} from '../../kit/check.ts'
import {
  classifyStatus,
  type ExpectedRefusal,
  findRefusal,
  outageOf,
} from '../../kit/classify-answer.ts'
import { findEach } from '../../kit/find-each.ts'

/** What a registry does with valid requests, and what it answers afterwards. */
export interface ObservationRow<Context> extends CheckTexts {
  readonly sends: string
  readonly decides: string
  /** By default `accept`. */
  readonly expectation?: CheckExpectation
  /** Returns what was observed, as a sentence; an expectation that fails ends the check. */
  readonly observe: (context: Context) => Promise<string>
}

/**
 * Makes the check of an observation: the registry must do what the row expects.
 * @param needs of a row that names none
 */
export const observing =
  <Context extends CheckBase>(...needs: readonly string[]) =>
  ({ observe, ...row }: ObservationRow<Context>): CheckRow<Context> => ({
    ...{ expectation: 'accept', needs },
    ...row,
    run: async (context) => held(await observe(context)),
  })

/** Ends the check if an answer is not the system's decision: overload, outage, timeout. */
export function requireVerdict(answer: HttpAnswer): HttpAnswer {
  const { method, url, status } = answer
  const kind = classifyStatus(status)
  if (kind === 'accepted' || kind === 'refused') return answer
  endCheck(
    inconclusive(
      `${method} ${url} was answered with HTTP ${status}, which is not a verdict.`,
      outageOf(status),
    ),
  )
}

/** Requests by what is wrong with them, to follow `A request with`: `no did`. */
export type WrongRequests = Readonly<Record<string, () => Promise<HttpAnswer>>>

export interface EachRefusal extends Omit<ExpectedRefusal, 'what'> {
  /** The same request without a mistake: if it is rejected, the rejections prove nothing. */
  readonly control?: () => Promise<HttpAnswer>
}

/** Sends the control, then each wrong request: all of them must be rejected as required. */
export async function findEachRefused(
  requests: WrongRequests,
  { control, ...expected }: EachRefusal,
): Promise<Finding> {
  const accepted = control && (await control())
  if (accepted && classifyStatus(accepted.status) !== 'accepted') {
    const observed = `A valid request was answered with HTTP ${accepted.status}`
    const reason =
      `${observed}, so a rejection of invalid requests proves nothing: ${accepted.text.slice(0, 200)}`.trimEnd()
    return inconclusive(reason)
  }
  if (accepted && !hasContent(accepted)) {
    const observed = 'A valid request was not answered with the documented JSON'
    return inconclusive(
      `${observed}, so the acceptance of an invalid request proves nothing either`,
    )
  }
  const finding = await findEach(Object.entries(requests), ([wrong, send]) => {
    const what = `A request with ${wrong}`
    return findOneRefused(send, { ...expected, what, ...(control && { control }) })
  })
  if (finding.kind !== 'held') return finding
  const all = Object.keys(requests)
  return held(`${all.length} requests were rejected, those with: ${all.join('; ')}`)
}

/** How a server failed at a request: by its status, or by closing the connection. */
interface Reaction {
  readonly failure: string | undefined
  /** Throws if there was no response. */
  readonly read: () => HttpAnswer
}

async function reactionTo(send: () => Promise<HttpAnswer>): Promise<Reaction> {
  try {
    const answer = await send()
    const { status } = answer
    const isFailure = status === 500 || status === 501
    return { failure: isFailure ? `HTTP ${status}` : undefined, read: () => answer }
  } catch (error) {
    if (!isTestbedError(error) || error.code !== 'no_answer' || !isClosed(error)) throw error
    const read = () => {
      throw error
    }
    return { failure: 'a closed connection', read }
  }
}

const isClosed = ({ cause }: Error) =>
  ['UND_ERR_SOCKET', 'ECONNRESET'].includes(String(Object(cause).code))

/**
 * Sends a wrong request. After an HTTP 500 or 501, or a closed connection, sends it again, and then
 * the control: a system that only answers the control fails at the mistake, instead of rejecting it.
 */
export async function findOneRefused(
  send: () => Promise<HttpAnswer>,
  { control, ...expected }: ExpectedRefusal & EachRefusal,
): Promise<Finding> {
  const first = await reactionTo(send)
  if (first.failure === undefined || control === undefined) {
    return findRefusal(first.read(), expected)
  }
  const { failure, read } = await reactionTo(send)
  if (failure === undefined || classifyStatus((await control()).status) !== 'accepted') {
    return findRefusal(read(), expected)
  }
  const reason = `${expected.what} was answered with ${failure} twice, while a valid request is accepted`
  return broken(reason, { level: 'practice', expected: 'a rejection', actual: failure })
}

/** A page that is the answer at every address, or an empty object, does not answer the request. */
const hasContent = ({ json }: HttpAnswer) =>
  typeof json === 'object' && json !== null && Object.keys(json).length > 0

/**
 * Sends requests that a client may send by mistake or in bad faith: the server must not answer any
 * of them with an internal error. 429, 503 and 504 are an overload or an outage, which is not a
 * verdict. First a check must see a valid request succeed: a missing endpoint has no errors either.
 */
export async function findNoServerError(
  requests: Readonly<Record<string, () => Promise<HttpAnswer>>>,
): Promise<Finding> {
  const finding = await findEach(Object.entries(requests), async ([what, send]) => {
    const answer = await send()
    const { method, url, status } = answer
    const error = internalErrorOf(answer)
    const met = error === undefined ? `HTTP ${status}` : `the error ${error}`
    const observed = `${what} was answered with ${met} by ${method} ${url}`
    if ([429, 503, 504].includes(status)) return inconclusive(observed)
    if (status >= 500 || error !== undefined) {
      const verdictSource = error === undefined ? 'HTTP status' : 'error of the JSON-RPC response'
      return broken(observed, { verdictSource, expected: 'a rejection', actual: error ?? status })
    }
    return held(observed)
  })
  if (finding.kind !== 'held') return finding
  return held(`None of ${Object.keys(requests).length} hostile requests caused a server error`)
}

/** The code of an internal error of JSON-RPC, which is a server error with HTTP 200. */
function internalErrorOf({ json }: HttpAnswer): number | undefined {
  const { code } = ((json as { error?: unknown } | null)?.error ?? {}) as { code?: unknown }
  return code === -32603 ? code : undefined
}

/** Seconds for which a client waits before it reads a change (2.limits.6). */
const usualWait = 5

/** Seconds for which a cache may return an answer without asking again (RFC 9111, 4.2.1). */
function freshFor({ headers }: Pick<HttpAnswer, 'headers'>): number {
  const control = headers.get('cache-control') ?? ''
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0
  const ages = [...control.matchAll(/\b(?:s-maxage|max-age)\s*=\s*"?(\d+)/gi)]
  // A cache returns a stale answer for this time while it asks again (RFC 5861, 3).
  const [, stale = 0] = control.match(/\bstale-while-revalidate\s*=\s*"?(\d+)/i) ?? []
  if (ages.length > 0) return Math.max(...ages.map(([, age]) => Number(age))) + Number(stale)
  const [expires = 0, date = 0] = ['expires', 'date'].map((name) =>
    Date.parse(headers.get(name) ?? ''),
  )
  return expires > date ? (expires - date) / 1000 : 0
}

/**
 * Finds that caches may return an answer for longer than clients wait for a change. Undefined if
 * they may not.
 * @param change `a revocation`
 */
export function findLateCopies(answer: HttpAnswer, change = 'a revocation'): Finding | undefined {
  const actual = freshFor(answer)
  if (actual <= usualWait) return undefined
  const observed = `Caches may return the response of ${answer.url} for ${actual} seconds`
  const expected = `at most ${usualWait} seconds in Cache-Control or Expires`
  return broken(`${observed}, so that ${change} reaches their clients late`, {
    verdictSource: 'Cache-Control and Expires',
    level: 'practice',
    expected,
    actual,
  })
}

/**
 * Asks again like a cache that has the answer from before a change: with 304 it would keep returning
 * that. Undefined if the answer has no validator, or another answer came.
 */
export async function findStaleCopy(
  { request }: Pick<HttpClient, 'request'>,
  { url, headers }: HttpAnswer,
): Promise<Finding | undefined> {
  const conditions = Object.entries({
    etag: 'if-none-match',
    'last-modified': 'if-modified-since',
  }).flatMap(([validator, condition]) => {
    const value = headers.get(validator)
    return value === null ? [] : [[condition, value] as const]
  })
  if (conditions.length === 0) return undefined
  const { status } = await request(url, { headers: Object.fromEntries(conditions) })
  if (status !== 304) return undefined
  const names = conditions.map(([condition]) => condition).join(' and ')
  return broken(`After a change, ${url} was answered with 304 to a request with ${names}`, {
    level: 'practice',
    expected: 'HTTP 200 with the new content',
    actual: status,
  })
}

/**
 * Finds a resource that GET finds and HEAD does not. A server may reject the method for a resource
 * (405), but not claim that the resource does not exist.
 */
export async function findHeadAnswered(
  { request }: Pick<HttpClient, 'request'>,
  urls: readonly string[],
): Promise<Finding> {
  for (const url of urls) {
    const answer = await request(url)
    const expected = answer.status
    if (expected !== 200 || !hasContent(answer)) {
      return inconclusive(
        `GET ${url} was answered with HTTP ${expected}, without the documented JSON`,
      )
    }
    const { status: actual } = await request(url, { method: 'HEAD' })
    const reason = `HEAD ${url} was answered with HTTP ${actual}, but GET with ${expected}`
    const kind = classifyStatus(actual)
    if (kind === 'overloaded' || kind === 'timed-out') return inconclusive(reason)
    if (actual === 404 || kind === 'outage') {
      return broken(reason, { verdictSource: 'HTTP status of HEAD', expected, actual })
    }
  }
  return held(`HEAD of ${urls.length} resources was not answered with 404 or a 5xx`)
}

/**
 * Finds that a server does not read a body in chunks. It may require a length (411), but not lose
 * the body.
 */
export async function findChunksRead(
  { request }: Pick<HttpClient, 'request'>,
  url: string,
  { headers, json }: Pick<HttpRequest, 'headers' | 'json'>,
): Promise<Finding> {
  const ask = { method: 'POST', headers: headers ?? {}, json }
  /** A registry that has the same answer to everything has built no call. */
  const isAccepted = ({ json }: HttpAnswer) => {
    const { result = json } = membersOf(json)
    return /^0x[0-9a-f]{8}/i.test(String(membersOf(result).data))
  }
  const whole = await request(url, ask)
  if (!isAccepted(whole)) return inconclusive(`A valid request was not accepted: ${whole.text}`)
  const chunked = await request(url, { ...ask, isChunked: true }).catch(async (error: unknown) => {
    // A server that does not read the chunks may close the connection immediately.
    if (!isTestbedError(error) || error.code !== 'no_answer') throw error
    if (!isAccepted(await request(url, ask))) throw error
    return endCheck(broken(`With its body in chunks, ${error.message}`, { expected: whole.status }))
  })
  const { status, text } = chunked
  const reason = `The same request with its body in chunks was answered with HTTP ${status}`
  const kind = classifyStatus(status)
  if (kind === 'overloaded' || kind === 'timed-out') return inconclusive(reason)
  if (status === 411 || isAccepted(chunked)) return held(reason)
  const details = { verdictSource: 'answers to both requests', expected: whole.status }
  return broken(`${reason} ${text.slice(0, 300)}`, { ...details, actual: status })
}

/** What the checks of chunked bodies have in common. */
export const chunkedBody = {
  title: 'A chunked body is read like one with Content-Length',
  level: 'final',
  expectation: 'accept',
  clauses: ['RFC 9112, 7.1', 'RFC 9112, 6.3'],
  description:
    'Clients that write a body as a stream, and some proxies, do not know its length in advance.',
  fix: 'Read a body with Transfer-Encoding: chunked to its end, or return 411. A body that is not read becomes the beginning of the next request on the connection.',
} as const

/** Raw bodies that are not a JSON object of any API, by their content. */
export const hostileBodies: Readonly<Record<string, string>> = {
  'an empty body': '',
  'half an object': '{"did":"did:org',
  'half a string': '"text',
  null: 'null',
  'a list': '[]',
  'a list that contains only null': '[null]',
  'a list in a list': '[[]]',
  'a string': '"text"',
  'a number that is too large': '1e999999',
  'a member named __proto__': '{"__proto__":{"did":"x"},"constructor":{"prototype":1}}',
  'deep nesting': `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`,
  'a NUL': '{"did":"did:org:uc-pre:z1\\u0000","from":"\\u0000"}',
  'half a surrogate pair': '{"did":"\\ud800","from":"\\udfff","alsoKnownAs":"\\ud800"}',
  'members of other types': '{"did":{"toString":1},"from":[],"alsoKnownAs":1,"notAfter":{}}',
  'a string of a million letters': `{"did":"${'a'.repeat(1_000_000)}"}`,
}
