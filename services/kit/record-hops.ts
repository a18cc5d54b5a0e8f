import type { RequestHandler, Response } from 'express'
import { maskSecrets, maskText } from '#core/json/mask-secrets.ts'
import { parseJson } from '#core/json/read-json.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import { currentRequest, type RequestContext } from './request-context.ts'
import type { Runtime } from './runtime.ts'
import type { Hop, RuleVerdict } from './traces.ts'

/** Records each exchange of a service as a masked hop, if traces are enabled. */
export function recordHops(runtime: Runtime, to: string): RequestHandler {
  return function recordHop(request, response, next) {
    const context = currentRequest()
    if (!runtime.traces.enabled || context?.unrecorded || unrecorded.test(request.path))
      return next()
    const at = runtime.clock.milliseconds()
    const began = performance.now()
    const requestCapture = createCapture()
    const emit = request.emit.bind(request)
    // A `data` listener would start the stream before its reader is ready; observing `emit` does
    // not.
    request.emit = (event: string, ...values: unknown[]) => {
      if (event === 'data') requestCapture.add(values[0])
      return emit(event, ...values)
    }
    const responseCapture = captureResponse(response)
    response.once('close', () => {
      // The service that the request was forwarded to has recorded it.
      if (response.locals.isForwarded === true) return
      const exchange = {
        at,
        durationMilliseconds: performance.now() - began,
        ...context,
        userAgent: cutText(request.get('user-agent') ?? '', longestHeader),
        to,
        method: request.method,
        url: cutText(request.originalUrl, longestAddress),
        status: response.statusCode,
        requestHeaders: pickHeaders(request.headers),
        requestCapture,
        responseHeaders: pickHeaders(response.getHeaders()),
        responseCapture,
        describeRules: describeVerdicts(context),
      }
      runtime.traces.record(describeLater(exchange), bytesOf(exchange))
    })
    next()
  }
}

/** An evaluated rule, with its statement if it has one. */
type EvaluatedRule = Omit<RuleVerdict, 'reasons'>

export interface Evaluation {
  readonly checked: readonly EvaluatedRule[]
  readonly failures: readonly VerificationFailure[]
}

// Next to the context, not in it: requests that this one causes must not inherit the evaluation.
const evaluations = new WeakMap<RequestContext, Evaluation>()

/**
 * Attaches the evaluated rules and their results to the current request's hop, for reports. Only
 * stores a reference until the hop is read.
 */
export function recordVerdicts(evaluation: Evaluation): void {
  const context = currentRequest()
  if (context !== undefined) evaluations.set(context, evaluation)
}

/** Describes the evaluation of a request with secrets masked; undefined if there is none. */
function describeVerdicts(
  context: RequestContext | undefined,
): (() => readonly RuleVerdict[]) | undefined {
  const evaluation = context && evaluations.get(context)
  return evaluation && (() => maskSecrets(verdictsOf(evaluation)) as RuleVerdict[])
}

const longestValue = 200

/** A reason does not say where the message breaks the rule, and which value it has there. */
function describeReason({ reason, path, got }: VerificationFailure): string {
  const value = got === undefined ? undefined : JSON.stringify(got)
  const found = value === undefined ? '' : `; found ${copyStart(value, longestValue)}`
  return `${reason}${found}${path === '' ? '' : ` (${path})`}`
}

function verdictsOf({ checked, failures }: Evaluation): RuleVerdict[] {
  return checked.map(({ rule, statement, fix, path, passed, notes = [] }) => {
    // If a rule is evaluated on several inputs, its path names one; failures have that path or a
    // longer one.
    const own = failures.filter((each) => each.rule === rule && each.path.startsWith(path ?? ''))
    return {
      rule,
      passed,
      ...(statement === undefined ? {} : { statement }),
      ...(path ? { path } : {}),
      ...(passed ? {} : { reasons: own.map(describeReason) }),
      ...(fix === undefined ? {} : { fix }),
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
    }
  })
}

export const longestBody = 64 * 1024
export const longestAddress = 4096
const longestHeader = 1024

/** A copy of at most `limit` characters: a slice would keep the whole text in memory. */
export function copyStart(text: string, limit: number): string {
  const copy = Buffer.from(text.slice(0, limit)).toString()
  return text.length > limit ? `${copy}…` : copy
}

const cutText = (text: string, limit: number) =>
  text.length > limit ? copyStart(text, limit) : text

const textual = /json|x-www-form-urlencoded|jwt|text\/plain/

const unrecorded =
  /\/(health|metrics)$|\/(assets|explorer)\/|\/openapi\.json$|\/start\.js$|\.(css|js|ico|svg)$/

/**
 * Via header of requests that the issuer forwards for wallets, keeping their User-Agent (RFC 9110,
 * 7.6.3).
 */
export const viaIssuer = '1.1 lear-testbed-issuer'

/**
 * Name of the calling part from its User-Agent: `wallet` for `lear-testbed/wallet`, otherwise a
 * browser or unknown.
 */
export function callerOf(userAgent: string | undefined): string {
  const own = userAgent?.match(/^lear-testbed\/([a-z-]{1,40})(?![a-z-])/)?.[1]
  if (own !== undefined) return own
  return userAgent?.startsWith('Mozilla/') ? 'browser' : 'client'
}

/** Collects the first bytes that pass through a `write`-like method, to read them as text later. */
function createCapture() {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk: unknown) {
      if (size >= longestBody || (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)))
        return
      const bytes = Buffer.from(chunk as string)
      chunks.push(bytes)
      size += bytes.byteLength
    },
    get size() {
      return size
    },
    read(contentType: string): unknown {
      if (size === 0) return undefined
      if (!textual.test(contentType)) return `<${size} bytes ${contentType.split(';')[0]}>`
      return readBody(Buffer.concat(chunks).toString('utf8'), contentType)
    },
  }
}

const form = /^[\w.~*%+-]+=[^\s=&]+(?:&[\w.~*%+-]+=[^\s=&]*)*$/

/**
 * A masked body: JSON and forms by their members, regardless of the content type. For example,
 * fetch sends a string as text/plain.
 */
function readBody(text: string, contentType: string): unknown {
  const looksLikeJson = /^\s*[{[]/.test(text)
  const json = looksLikeJson || contentType.includes('json') ? parseJson(text) : undefined
  if (json !== undefined) return maskSecrets(json)
  // In a form, the names would be parts of what was meant to be JSON.
  if (looksLikeJson) return maskText(text)
  if (contentType.includes('urlencoded') || form.test(text)) {
    return maskSecrets(Object.fromEntries(new URLSearchParams(text)))
  }
  return maskText(text)
}

type Capture = ReturnType<typeof createCapture>

function captureResponse(response: Response) {
  const capture = createCapture()
  const { write, end } = response
  response.write = ((...values: Parameters<typeof write>) => {
    capture.add(values[0])
    return write.apply(response, values)
  }) as typeof write
  response.end = ((...values: Parameters<typeof end>) => {
    capture.add(values[0])
    return end.apply(response, values)
  }) as typeof end
  return capture
}

const recordedHeaders = ['accept', 'content-type', 'location', 'www-authenticate', 'cache-control']

function pickHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    recordedHeaders.flatMap((name) => {
      const limit = name === 'location' ? longestAddress : longestHeader
      return headers[name] === undefined ? [] : [[name, cutText(String(headers[name]), limit)]]
    }),
  )
}

const maskValues = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskText(value)]))

interface Exchange extends Partial<RequestContext> {
  readonly at: number
  readonly durationMilliseconds: number
  readonly userAgent: string
  readonly to: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestCapture: Capture
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseCapture: Capture
  readonly describeRules: (() => readonly RuleVerdict[]) | undefined
}

const lengthOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)

const bytesOf = (exchange: Exchange) =>
  exchange.url.length +
  exchange.userAgent.length +
  lengthOf(exchange.requestHeaders) +
  lengthOf(exchange.responseHeaders) +
  exchange.requestCapture.size +
  exchange.responseCapture.size

// A separate function: a closure in the handler would keep request and response alive.
function describeLater(described: Exchange) {
  const { userAgent, requestCapture, responseCapture, describeRules, ...exchange } = described
  return (): Omit<Hop, 'id'> => {
    const requestBody = requestCapture.read(exchange.requestHeaders['content-type'] ?? '')
    const responseBody = responseCapture.read(exchange.responseHeaders['content-type'] ?? '')
    return {
      ...exchange,
      kind: 'http',
      from: callerOf(userAgent),
      url: maskText(exchange.url),
      requestHeaders: maskValues(exchange.requestHeaders),
      responseHeaders: maskValues(exchange.responseHeaders),
      ...(requestBody === undefined ? {} : { requestBody }),
      ...(responseBody === undefined ? {} : { responseBody }),
      ...(describeRules === undefined ? {} : { rules: describeRules() }),
    }
  }
}
