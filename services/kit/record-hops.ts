import type { RequestHandler, Response } from 'express'
import { maskSecrets, maskText } from '#core/json/mask-secrets.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import { currentRequest, type RequestContext } from '#kit/request-context.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { Hop, RuleVerdict } from '#kit/traces.ts'

/** Records each exchange of a service as a hop, masked, where somebody wants the traces. */
export function recordHops(runtime: Runtime, to: string): RequestHandler {
  return function recordHop(request, response, next) {
    if (!runtime.traces.enabled || unrecorded.test(request.path)) return next()
    const at = runtime.clock.milliseconds()
    const began = performance.now()
    const context = currentRequest()
    const requestCapture = createCapture()
    const emit = request.emit.bind(request)
    // Listening to `data` would start the stream before its reader is there; watching does not.
    request.emit = (event: string, ...values: unknown[]) => {
      if (event === 'data') requestCapture.add(values[0])
      return emit(event, ...values)
    }
    const responseCapture = captureResponse(response)
    response.once('close', () => {
      // The service behind has recorded it already.
      if (response.locals.isForwarded === true) return
      const exchange = {
        at,
        durationMilliseconds: performance.now() - began,
        ...context,
        userAgent: request.get('user-agent'),
        to,
        method: request.method,
        url: request.originalUrl,
        status: response.statusCode,
        requestHeaders: pickHeaders(request.headers),
        requestCapture,
        responseHeaders: pickHeaders(response.getHeaders()),
        responseCapture,
        describeRules: describeVerdicts(context),
      }
      runtime.traces.record(describeLater(exchange), requestCapture.size + responseCapture.size)
    })
    next()
  }
}

/** A rule that was evaluated; its statement is left out where it has none. */
interface EvaluatedRule {
  readonly rule: string
  readonly statement?: string
  readonly path?: string
  readonly passed: boolean
  readonly notes?: readonly string[]
}

export interface Evaluation {
  readonly checked: readonly EvaluatedRule[]
  readonly failures: readonly VerificationFailure[]
}

// Beside the context, not in it: what a request sets off must not carry what was judged before.
const evaluations = new WeakMap<RequestContext, Evaluation>()

/**
 * Puts the rules that were evaluated on the current request, and how they ended, onto its hop, for
 * reports. Costs nothing but a reference until somebody reads the hop.
 */
export function recordVerdicts(evaluation: Evaluation): void {
  const context = currentRequest()
  if (context !== undefined) evaluations.set(context, evaluation)
}

/** Describes what was judged on a request, secrets masked; undefined where nothing was. */
function describeVerdicts(
  context: RequestContext | undefined,
): (() => readonly RuleVerdict[]) | undefined {
  const evaluation = context && evaluations.get(context)
  return evaluation && (() => maskSecrets(verdictsOf(evaluation)) as RuleVerdict[])
}

function verdictsOf({ checked, failures }: Evaluation): RuleVerdict[] {
  return checked.map(({ rule, statement, path, passed, notes = [] }) => {
    // A rule that is evaluated on several inputs names the one; its failures stand at or below it.
    const own = failures.filter((each) => each.rule === rule && each.path.startsWith(path ?? ''))
    return {
      rule,
      passed,
      ...(statement === undefined ? {} : { statement }),
      ...(path ? { path } : {}),
      ...(passed ? {} : { reasons: own.map(({ reason }) => reason) }),
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
    }
  })
}

const bodyLimit = 64 * 1024

const textual = /json|x-www-form-urlencoded|jwt|text\/plain/

const unrecorded =
  /\/(health|metrics)$|\/(assets|explorer)\/|\/openapi\.json$|\/start\.js$|\.(css|js|ico|svg)$/

/** Via header of what the issuer forwards for wallets, whose User-Agent it keeps (RFC 9110, 7.6.3). */
export const viaIssuer = '1.1 lear-testbed-issuer'

/** Name of the calling part, as its User-Agent tells: `lear-testbed/wallet`, a browser, anybody. */
export function callerOf(userAgent: string | undefined): string {
  const own = userAgent?.match(/^lear-testbed\/([a-z-]+)/)?.[1]
  if (own !== undefined) return own
  return userAgent?.startsWith('Mozilla/') ? 'browser' : 'client'
}

/** Keeps the first bytes that pass through an emitter-like `write`, to read them as text later. */
function createCapture() {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk: unknown) {
      if (size >= bodyLimit || (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))) return
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
      const text = Buffer.concat(chunks).toString('utf8')
      if (contentType.includes('json')) {
        try {
          return maskSecrets(JSON.parse(text))
        } catch {
          return maskText(text)
        }
      }
      if (contentType.includes('urlencoded')) {
        return maskSecrets(Object.fromEntries(new URLSearchParams(text)))
      }
      return maskText(text)
    },
  }
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
    recordedHeaders.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    ),
  )
}

const maskValues = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskText(value)]))

interface Exchange extends Partial<RequestContext> {
  readonly at: number
  readonly durationMilliseconds: number
  readonly userAgent: string | undefined
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

// A function of its own: inside the handler it would keep request and response alive.
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
