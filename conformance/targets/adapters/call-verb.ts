import { parseJson } from '#core/json/read-json.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { type ExchangeLog, readBody } from '../../kit/evidence/exchange-log.ts'
import { invalidTarget } from '../errors.ts'
import {
  fillJson,
  fillText,
  fillUrl,
  fillWords,
  type PlaceholderValues,
} from './fill-placeholders.ts'
import { type ProgramEnd, runProgram, splitCommand } from './programs.ts'
import type { CommandVerb, HttpVerb, Verb } from './z-verb.ts'

/** What runtimes print for an uncaught error; their exit code is then 1, as for a rejection. */
const marks = [
  // Node, Deno and Bun.
  /^Node\.js v\d+/m,
  /^error: Uncaught /m,
  /^Bun v\d+/m,
  // Python.
  /^Traceback \(most recent call last\):/m,
  // The Java virtual machine.
  /^Exception in thread "/m,
  // Ruby, Rust and Go.
  /: (?:undefined method|uninitialized constant) .+ \((?:NoMethodError|NameError)\)/,
  /^thread '.+' (?:\(\d+\) )?panicked at /m,
  /^panic: .+\n\ngoroutine /m,
]

/** Says whether a program's standard error reports a crash. */
const looksLikeCrash = (stderr: string): boolean => marks.some((mark) => mark.test(stderr))

/** Shortens a long string for the evidence to its beginning and its length. */
const shorten = (text: string, longest = 16_384): string =>
  text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text

/** The end of a program's output, where errors are. */
const lastOf = (text: string): string => (text.length > 600 ? `… ${text.slice(-600)}` : text)

/** How a verb ended. Only `refused` is a rejection; the last three are not a verdict. */
export type VerbOutcome = 'done' | 'refused' | 'failed' | 'timed-out' | 'overloaded'

/** The result of a verb. */
export interface VerbAnswer {
  readonly outcome: VerbOutcome
  /** What was observed, as a sentence, with the output of the system under test. */
  readonly reason: string
  /** Its output or answer, shortened if long. */
  readonly text: string
  /** Undefined if the text is not valid JSON. */
  readonly json: unknown
  /** Where that was observed: `exit code of accept-offer`. */
  readonly source: string
  /**
   * The program crashed, was killed or did not start, or the service answered 500: the result is
   * not its decision.
   */
  readonly hasCrashed?: boolean
}

export interface CallVerbOptions {
  readonly exchanges: Pick<ExchangeLog, 'add'>
  readonly signal: AbortSignal
  /** By default 30 000; the verb's own limit has priority. */
  readonly timeoutMilliseconds?: number
  /** Added to a command's environment, for example the kit's addresses. */
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * Runs a verb that is a command line. Its exit code decides, but a crashed program has not rejected
 * anything, regardless of its exit code.
 */
async function callCommand(
  verb: CommandVerb,
  name: string,
  values: PlaceholderValues,
  { exchanges, signal, timeoutMilliseconds = 30_000, environment = {} }: CallVerbOptions,
): Promise<VerbAnswer> {
  const { command, folder, timeoutSeconds } = verb
  const split = splitCommand(command)
  if (!split || split.length === 0) {
    throw invalidTarget(`The command line of ${name} has an unclosed quote: ${command}`)
  }
  const words = fillWords(split, values)
  const began = performance.now()
  const limit = timeoutSeconds === undefined ? timeoutMilliseconds : timeoutSeconds * 1000
  const end = await runProgram(words, {
    folder,
    environment: { ...environment, ...verb.environment },
    timeoutMilliseconds: limit,
    signal,
  })
  const { stdout, stderr, exitCode } = end
  exchanges.add({
    kind: 'command',
    from: 'kit',
    to: 'system under test',
    method: 'RUN',
    url: name,
    status: exitCode ?? 0,
    durationMilliseconds: performance.now() - began,
    // The name identifies the value as a PIN, so it is masked everywhere.
    requestBody: { words, values },
    responseBody: end,
  })
  const { outcome, seen } = classify(verb, end, limit)
  const said = lastOf((outcome === 'done' ? '' : stderr || stdout).trim())
  return {
    outcome,
    reason: `${name} ${seen}${said === '' ? '.' : `: ${said}`}`,
    text: stdout,
    json: parseJson(stdout),
    source: `exit code of ${name}`,
    ...(outcome === 'failed' &&
      (exitCode === undefined || looksLikeCrash(stderr)) && { hasCrashed: true }),
  }
}

function classify(
  { exitCodes: { done = [0], refused = [1] } = {} }: CommandVerb,
  { stopped, exitCode, killedBy, notStarted, stderr }: ProgramEnd,
  limit: number,
): { outcome: VerbOutcome; seen: string } {
  if (stopped === 'timed-out') {
    return { outcome: 'timed-out', seen: `did not finish within ${limit / 1000} seconds` }
  }
  if (stopped === 'interrupted') return { outcome: 'timed-out', seen: 'was interrupted' }
  if (exitCode === undefined) {
    const why = notStarted ? `could not be started (${notStarted})` : `was killed by ${killedBy}`
    return { outcome: 'failed', seen: why }
  }
  const seen = `exited with code ${exitCode}`
  if (done.includes(exitCode)) return { outcome: 'done', seen }
  if (!refused.includes(exitCode))
    return { outcome: 'failed', seen: `${seen}, which has no meaning here` }
  return looksLikeCrash(stderr)
    ? { outcome: 'failed', seen: `crashed (exit code ${exitCode}), which is not a rejection` }
    : { outcome: 'refused', seen }
}

/**
 * Statuses that are about the call and not about its subject: the address, the method, the client.
 * If they counted as rejections, a mistyped address would pass every check that expects one.
 */
const aboutTheCall = [401, 403, 404, 405, 406, 407, 411, 413, 414, 415, 417, 421, 426, 431]

/** Makes a verb that is an HTTP call. It does not follow redirects. */
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
    status = response.status
    responseHeaders = Object.fromEntries(response.headers)
    const read = await readBody(response)
    text = read.text
    if ('brokenOff' in read) throw read.brokenOff
  } catch (error) {
    problem = timeLimit.aborted ? `within ${limit / 1000} seconds` : `(${causeOf(error)})`
  }
  exchanges.add({
    kind: 'http',
    from: 'kit',
    to: 'system under test',
    method,
    url,
    // 0 means no answer: three of them in a row end the plan.
    status: problem === '' ? status : 0,
    requestHeaders: headers,
    requestBody: body,
    responseHeaders,
    responseBody: text,
    durationMilliseconds: performance.now() - began,
  })
  const answer = { text, json: parseJson(text), source }
  // If only a part of the body arrived, what the status means is not certain either.
  if (problem !== '') {
    const missing = status === 0 ? 'no response' : `no complete response after HTTP ${status}`
    return { ...answer, outcome: 'timed-out', reason: `${name}: ${missing} ${problem}.` }
  }
  const outcome = classifyAnswer(verb, status)
  const said = outcome === 'done' ? '' : shorten(withoutTags(text).trim(), 600)
  // A status about the call itself, such as 404: the address or method of the verb is wrong.
  const isAboutCall = outcome === 'failed' && status >= 400 && status < 500
  const call = isAboutCall ? `${name} (${method} ${url.replace(/[?#].*/, '')})` : name
  const seen = `${call} was answered with HTTP ${status}${meanings[outcome]}`
  return {
    ...answer,
    outcome,
    reason: `${seen}${said === '' ? '.' : `: ${said}`}`,
    ...(outcome === 'failed' && status === 500 && { hasCrashed: true }),
  }
}

/** The text of an HTML page: frameworks answer with one if the wallet crashes. */
const withoutTags = (text: string) =>
  /^\s*<(?:!doctype|html)/i.test(text) ? text.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ') : text

const meanings: Readonly<Record<VerbOutcome, string>> = {
  done: '',
  refused: '',
  failed: ', which does not count as a rejection',
  'timed-out': ', a timeout',
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

function classifyAnswer(
  { statuses: { done, refused } = {} }: HttpVerb,
  status: number,
): VerbOutcome {
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

/**
 * Makes the system under test perform one operation, by command or by HTTP call, and returns the
 * result. Never rejects because of the system. The messages become evidence, without the secrets of
 * the target. `name` is the verb's name for people: `accept-offer`.
 */
export function callVerb(
  verb: Verb,
  name: string,
  values: PlaceholderValues,
  options: CallVerbOptions,
): Promise<VerbAnswer> {
  if (typeof verb === 'string') return callCommand({ command: verb }, name, values, options)
  return 'command' in verb
    ? callCommand(verb, name, values, options)
    : callHttp(verb, name, values, options)
}
