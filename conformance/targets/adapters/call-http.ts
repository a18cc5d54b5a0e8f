import { classifyStatus } from '../../kit/classify-answer.ts'
import { readAtMost } from '../../kit/evidence/operator-key.ts'
import type { CallVerbOptions } from './call-command.ts'
import { fillJson, fillText, fillUrl, type PlaceholderValues } from './fill-placeholders.ts'
import { parseJson, shorten } from './tell-text.ts'
import type { VerbAnswer, VerbOutcome } from './verb-answer.ts'
import type { HttpVerb } from './z-verb.ts'

/**
 * Statuses that speak of the call and not of what it was about: the address, the method, who asks.
 * Taken for refusals, a mistyped address would pass every check that wants one.
 */
const aboutTheCall = [401, 403, 404, 405, 406, 407, 411, 413, 414, 415, 417, 421, 426, 431]

/** Makes a verb that is an HTTP call. No redirect is followed. */
export async function callHttp(
  verb: HttpVerb,
  name: string,
  values: PlaceholderValues,
  { exchanges, signal, timeoutMilliseconds = 30_000 }: CallVerbOptions,
): Promise<VerbAnswer> {
  const { timeoutSeconds } = verb
  const limit = timeoutSeconds === undefined ? timeoutMilliseconds : timeoutSeconds * 1000
  const { url, method, headers, body } = requestOf(verb, values)
  const began = performance.now()
  const source = `HTTP status of ${name}`
  const timeLimit = AbortSignal.timeout(limit)
  let status = 0
  let text = ''
  let problem = ''
  let responseHeaders = {}
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeLimit]),
      ...(body === undefined ? {} : { body }),
    })
    text = await readAtMost(response)
    status = response.status
    responseHeaders = Object.fromEntries(response.headers)
  } catch (error) {
    problem = timeLimit.aborted ? `within ${limit / 1000} seconds` : `(${causeOf(error)})`
  }
  exchanges.add({
    kind: 'http',
    from: 'kit',
    to: 'system under test',
    method,
    url,
    status,
    requestHeaders: headers,
    requestBody: body,
    responseHeaders,
    responseBody: text,
    durationMilliseconds: performance.now() - began,
  })
  const told = { text, json: parseJson(text), source }
  if (status === 0) {
    return { ...told, outcome: 'timed-out', reason: `${name} had no answer ${problem}.` }
  }
  const outcome = classify(verb, status)
  const said = outcome === 'done' ? '' : shorten(text.trim(), 600)
  const seen = `${name} was answered with HTTP ${status}${meanings[outcome]}`
  return { ...told, outcome, reason: `${seen}${said === '' ? '.' : `: ${said}`}` }
}

const meanings: Readonly<Record<VerbOutcome, string>> = {
  done: '',
  refused: '',
  failed: ', which is no refusal of what it was about',
  'timed-out': ', a time-out',
  overloaded: ', an overload',
}

function requestOf({ url, method, headers, json, form }: HttpVerb, values: PlaceholderValues) {
  const given = fillJson(json ?? form, values)
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const body =
    given === undefined
      ? undefined
      : json === undefined
        ? new URLSearchParams(given as Record<string, string>).toString()
        : JSON.stringify(given)
  const filled = Object.entries(headers ?? {}).flatMap(([header, text]) => {
    const value = fillText(text, values)
    return value === undefined ? [] : [[header.toLowerCase(), value]]
  })
  return {
    url: fillUrl(url, values) ?? url,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(Object.fromEntries(filled) as Record<string, string>),
    },
    body,
  }
}

function classify({ statuses: { done, refused } = {} }: HttpVerb, status: number): VerbOutcome {
  if (done?.includes(status)) return 'done'
  if (refused?.includes(status)) return 'refused'
  const kind = classifyStatus(status)
  if (kind === 'overloaded' || kind === 'timed-out') return kind
  if (kind === 'outage') return 'failed'
  if (kind === 'accepted') return !done && status >= 200 && status < 300 ? 'done' : 'failed'
  return !refused && !aboutTheCall.includes(status) ? 'refused' : 'failed'
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error
    ? cause.message || String((cause as { code?: unknown }).code)
    : error.message
}
