import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type * as Client from '@prometheus-io/client'
import type { Express, Request, RequestHandler, Response } from 'express'
import express from 'express'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import type { Database } from './database.ts'
import type { AnyRoute, Reply } from './define-route.ts'
import {
  type ErrorBody,
  methodNotAllowed,
  nothingHere,
  oauthErrorBody,
  sendError,
  toTestbedError,
} from './errors.ts'
import { apiDocumentation, createOpenApiDocument, type OpenApiInfo } from './open-api.ts'
import { checkHost, checkHostAndOrigin, createHostCheck, openToAnyOrigin } from './origins.ts'
import { requireClearHeaders } from './read-request.ts'
import { recordHops } from './record-hops.ts'
import { type Authentication, registerRoute, sendReply } from './register-route.ts'
import { readIdentifier, withRequestContext } from './request-context.ts'
import type { Runtime } from './runtime.ts'

/** The response to `GET /health`: 200 if the service is healthy, 503 with the problem otherwise. */
export interface Health {
  readonly healthy: boolean
  readonly body: Readonly<Record<string, unknown>>
}

export interface AppOptions<Dependencies> extends Omit<OpenApiInfo, 'serverUrl' | 'errorBody'> {
  /** The service's name in logs, traces and User-Agent: `issuer`, `did-registry`, … */
  readonly name: string
  readonly baseUrl: string
  readonly runtime: Runtime
  readonly dependencies: Dependencies
  readonly routes: readonly AnyRoute<Dependencies>[]
  readonly authentication?: Readonly<Record<string, Authentication>>
  readonly errorBody?: ErrorBody
  /** Path of the interactive documentation, for example `/swagger`. */
  readonly docsPath?: string
  readonly health?: () => Promise<Health> | Health
  /** The database that `/health` checks, unless `health` is given. */
  readonly database?: Pick<Database<unknown>, 'check'>
  /** Prefix of `/health` and `/metrics`, if the service's base URL has a path. */
  readonly pathPrefix?: string
  /** Prefix of the metrics' names (the profile: METRIC_NAMESPACE). */
  readonly metricsNamespace?: string
  /**
   * Requests whose Host header (or also Origin) names another server get 403; by default only at
   * /metrics.
   */
  readonly ownHostOnly?: 'host' | 'host and origin'
  /** Handlers that run first: they see each request with its body unread. */
  readonly before?: readonly RequestHandler[]
  /** Handlers after the routes, for example an OpenID provider's callback. */
  readonly after?: readonly RequestHandler[]
  /** The page for a browser at an address without a page (404, 405); other clients get JSON. */
  readonly unknownPage?: (request: Request, error: TestbedError) => Reply
}

async function checkDatabase(database: AppOptions<unknown>['database']): Promise<Health> {
  const db = (await database?.check()) ?? 'connected'
  return db === 'connected'
    ? { healthy: true, body: { status: 'ok' } }
    : { healthy: false, body: { status: 'error', db } }
}

function requestContext(): RequestHandler {
  return function setRequestContext(request, response, next) {
    const requestId = readIdentifier(request.get('x-request-id')) ?? randomUUID()
    const scenarioId = readIdentifier(request.get('x-scenario-id'))
    response.set('x-request-id', requestId)
    // The console shows the state; what it reads is not an exchange of the protocols.
    const isLooking =
      /\/health$|\/explorer\//.test(request.path) ||
      request.get('user-agent') === 'lear-testbed/console'
    const unrecorded = isLooking ? { unrecorded: true as const } : {}
    const scenario = scenarioId === undefined ? {} : { scenarioId }
    withRequestContext({ requestId, ...scenario, ...unrecorded }, next)
  }
}

/**
 * Builds a service's Express app, without listening: request context, traces, metrics, `/health`,
 * `/metrics`, documentation, the routes, and one error handler with the service's wire form.
 */
export function createApp<Dependencies>(options: AppOptions<Dependencies>): Express {
  const { name, runtime, routes, errorBody = oauthErrorBody, pathPrefix = '' } = options
  const log = runtime.log.child({ service: name })
  const metrics = createMetrics(options.metricsNamespace ?? name.replaceAll('-', '_'))
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', 'simple')
  // RFC 3986, 6.2.2.1. A client that passes here must not fail elsewhere for the case of a path.
  app.enable('case sensitive routing')

  app.use(requestContext())
  app.use(function secureHeaders(_request, response, next) {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('referrer-policy', 'no-referrer')
    next()
  })
  app.use(recordHops(runtime, name))
  app.use(function observe(request, response, next) {
    const began = performance.now()
    response.once('close', () => {
      const milliseconds = performance.now() - began
      const route = String(response.locals.route ?? 'other')
      metrics.observe(request.method, route, response.statusCode, milliseconds)
      log.debug(
        { method: request.method, route, status: response.statusCode, milliseconds },
        'answered',
      )
    })
    next()
  })
  app.use(requireClearHeaders)

  const isOwnHost = createHostCheck([new URL(options.baseUrl).hostname, ...runtime.allowedHosts])
  if (options.ownHostOnly === 'host') app.use(checkHost(isOwnHost))
  if (options.ownHostOnly === 'host and origin') {
    app.use(checkHostAndOrigin(isOwnHost, options.baseUrl))
  }
  for (const handler of options.before ?? []) app.use(handler)
  app.get(`${pathPrefix}/health`, async (_request, response) => {
    const health = await (options.health ?? (() => checkDatabase(options.database)))()
    response.status(health.healthy ? 200 : 503).json(health.body)
  })
  app.get(`${pathPrefix}/metrics`, checkHost(isOwnHost), async (_request, response) => {
    const { contentType, text } = await metrics.read()
    response.type(contentType).send(text)
  })
  if (options.docsPath !== undefined) {
    const { title, version, description, baseUrl, securitySchemes, errorCatalogue } = options
    const info = {
      title,
      version,
      description,
      serverUrl: baseUrl,
      ...(securitySchemes && { securitySchemes }),
      ...(errorCatalogue && { errorCatalogue }),
      errorBody,
    }
    const createDocument = () => createOpenApiDocument(info, routes as readonly AnyRoute<never>[])
    app.use(apiDocumentation(options.docsPath, title, createDocument, runtime.consoleUrl))
  }

  const onServerError = (error: TestbedError) => {
    log.error({ err: error.cause ?? error, code: error.code, detail: error.detail }, error.message)
  }
  const ownPaths = [`${pathPrefix}/health`, `${pathPrefix}/metrics`, options.docsPath ?? []].flat()
  const methodsOf = new Map<string, string[]>(ownPaths.map((path) => [path, ['GET']]))
  for (const { path, method } of routes) {
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method.toUpperCase()])
  }
  for (const path of new Set(routes.filter((each) => each.crossOrigin).map((each) => each.path))) {
    // `app.all` would create a layer for each of the 35 methods.
    app.route(path).all((request, response, next) => {
      if (!openToAnyOrigin(request, response, methodsOf.get(path) ?? [])) next()
    })
  }
  const { dependencies, authentication = {} } = options
  for (const route of routes) {
    registerRoute(app, route, { dependencies, authentication, errorBody, onServerError })
  }
  for (const handler of options.after ?? []) app.use(handler)

  const answerWithoutPage = (request: Request, response: Response, error: TestbedError) => {
    const isBrowser = request.accepts(['json', 'html']) === 'html'
    if (!options.unknownPage || !isBrowser) return sendError(response, error, errorBody)
    response.set(error.headers ?? {})
    sendReply(response, options.unknownPage(request, error))
  }
  for (const [path, methods] of methodsOf) {
    app.route(path).all((request, response) => {
      answerWithoutPage(request, response, methodNotAllowed(methods))
    })
  }
  app.use((request, response) => answerWithoutPage(request, response, nothingHere()))
  const handleError: express.ErrorRequestHandler = (thrown, request, response, _next) => {
    const error = toTestbedError(thrown)
    if (error.status >= 500) onServerError(error)
    // Also from an OpenID provider.
    if (error.code === 'method_not_allowed') answerWithoutPage(request, response, error)
    else sendError(response, error, errorBody)
  }
  app.use(handleError)
  return app
}

const require = createRequire(import.meta.url)
// The package's main module also loads OpenTelemetry.
const load = <Name extends 'Counter' | 'Histogram' | 'Registry'>(name: Name) =>
  require(`@prometheus-io/client/lib/${name.toLowerCase()}.js`) as (typeof Client)[Name]
const Counter = load('Counter')
const Histogram = load('Histogram')
const Registry = load('Registry')

interface Metrics {
  observe(method: string, route: string, status: number, milliseconds: number): void
  /** Metrics in the text format; those of the process are observed from the first call on. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>
}

/**
 * Creates a metrics registry per service instead of the global one, since several services share a
 * process.
 * `namespace` prefixes the names (METRIC_NAMESPACE in the profile).
 */
export function createMetrics(namespace: string): Metrics {
  const registry = new Registry()
  const prefix = `${namespace}_`
  let observing: Promise<void> | undefined
  const observeProcess = async () => {
    const { collectDefaultMetrics } = await import('@prometheus-io/client')
    collectDefaultMetrics({
      register: registry,
      prefix,
      eventLoopMonitoringPrecision: 1000,
      eventLoopUtilizationTimeout: 1000,
      // Over the whole time: if the clock moves by a year, a sliding window advances in small
      // steps and blocks everything for a second. The histogram shows recent values.
      eventLoopUtilizationMaxAgeSeconds: 0,
      eventLoopUtilizationAgeBuckets: 1,
    })
  }
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: `${prefix}http_requests_total`,
    help: 'Answered HTTP requests',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Time from the arrival of a request to the end of its response',
    labelNames,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers: [registry],
  })
  return {
    observe(method, route, status, milliseconds) {
      const labels = { method, route, status: String(status) }
      requests.inc(labels)
      durations.observe(labels, milliseconds / 1000)
    },
    async read() {
      observing ??= observeProcess()
      await observing
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
