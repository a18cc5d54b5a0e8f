import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import express, { type Router } from 'express'
import { z } from 'zod'
import { type DidEnvironment, didPrefixes } from '#core/did/did-org.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { emptyIcon, html } from '#core/html/html.ts'
import { barStyle, colourStyle } from '#core/html/styles.ts'
import type { AnyRoute, RouteResponse } from './define-route.ts'
import type { ErrorBody } from './errors.ts'
import { pageBar } from './page.ts'

/** The meaning of error codes for the documentation: status and an example message. */
export interface ErrorCatalogue {
  readonly [code: string]: { readonly status: number; readonly message: string }
}

export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly serverUrl: string
  readonly securitySchemes?: Readonly<Record<string, object>>
  /** Every code that the routes use; the documentation lists each error under its status. */
  readonly errorCatalogue?: ErrorCatalogue
  readonly errorBody: ErrorBody
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    unrepresentable: 'any',
    io,
  }) as Record<string, unknown>
  return rest
}

function parametersOf(schema: z.ZodType | undefined, place: 'query' | 'path'): object[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, member]) => {
    const { description, ...rest } = schemaOf(member as z.ZodType, 'input') as {
      description?: string
    }
    return {
      name,
      in: place,
      required: place === 'path' || !(member as z.ZodType).safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

interface Examples {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, unknown>>
}

/** A media type object: its schema, and one example or several named ones. */
function mediaOf(schema: object, { example, examples }: Examples): object {
  if (examples !== undefined) {
    const named = Object.entries(examples).map(([name, value]) => [name, { value }])
    return { schema, examples: Object.fromEntries(named) }
  }
  return { schema, ...(example === undefined ? {} : { example }) }
}

function contentOf(response: RouteResponse): Record<string, object> | undefined {
  const { body, contentType = body === undefined ? [] : ['application/json'] } = response
  const types = typeof contentType === 'string' ? [contentType] : contentType
  if (types.length === 0) return undefined
  const json = body === undefined ? {} : schemaOf(body, 'output')
  const schemaFor = (type: string) =>
    type.endsWith('json') ? json : { type: 'string', format: 'binary' }
  return Object.fromEntries(types.map((type) => [type, mediaOf(schemaFor(type), response)]))
}

const errorSchema = {
  type: 'object',
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  required: ['error'],
}

/** The errors of a route, grouped by status with examples if the app has a catalogue. */
function errorResponsesOf(codes: readonly string[], { errorCatalogue, errorBody }: OpenApiInfo) {
  if (codes.length === 0) return {}
  if (errorCatalogue === undefined) {
    const description = `An error, one of: ${codes.join(', ')}`
    return { default: { description, content: { 'application/json': { schema: errorSchema } } } }
  }
  const byStatus: Record<number, { names: string[]; examples: Record<string, unknown> }> = {}
  for (const code of codes) {
    const { status, message } = errorCatalogue[code] ?? {}
    if (status === undefined || message === undefined) {
      throw new TypeError(`The error ${code} is not in the catalogue.`)
    }
    byStatus[status] ??= { names: [], examples: {} }
    byStatus[status].names.push(code)
    byStatus[status].examples[code] = errorBody(new TestbedError({ code, status, message }))
  }
  const responses = Object.entries(byStatus).map(([status, { names, examples }]) => [
    status,
    {
      description: `Rejected: ${names.join(', ')}`,
      content: { 'application/json': mediaOf(errorSchema, { examples }) },
    },
  ])
  return Object.fromEntries(responses)
}

/**
 * The errors that the kit returns before a handler runs, and that every route returns during an
 * outage of a dependency.
 */
function usualErrorsOf(
  { request = {}, auth, security = auth, errorBody }: AnyRoute<never>,
  info: OpenApiInfo,
) {
  const hasBody = request.body !== undefined
  const hasInput = hasBody || request.query !== undefined || request.params !== undefined
  const usual: [boolean, number, string, string][] = [
    [hasInput, 400, 'invalid_request', 'The request does not have the documented shape.'],
    [security !== 'none', 401, 'unauthorized', 'The credentials are missing or not valid.'],
    [hasBody, 413, 'payload_too_large', 'The body is larger than this endpoint accepts.'],
    [hasBody, 415, 'unsupported_media_type', 'The media type of the body is not supported.'],
    [true, 503, 'temporarily_unavailable', 'A dependency is unavailable. Try again later.'],
  ]
  const responses = usual.flatMap(([applies, status, code, message]) => {
    if (!applies) return []
    const example = (errorBody ?? info.errorBody)(new TestbedError({ code, status, message }))
    const schema = errorBody === undefined ? errorSchema : { type: 'object' }
    const content = { 'application/json': mediaOf(schema, { example }) }
    return [[status, { description: message, content }] as const]
  })
  return Object.fromEntries(responses)
}

function operationOf(route: AnyRoute<never>, info: OpenApiInfo): object {
  const { request, responses, auth, security = auth } = route
  const parameters = [
    ...parametersOf(request?.params, 'path'),
    ...parametersOf(request?.query, 'query'),
  ]
  const answers = Object.entries(responses).map(([status, response]) => {
    const content = contentOf(response)
    const { description } = response
    return [status, { description, ...(content === undefined ? {} : { content }) }]
  })
  const documented = request?.documented ?? request?.body
  const requestContent = (body: z.ZodType) => {
    const media = mediaOf(schemaOf(body, 'input'), request ?? {})
    const types = request?.contentTypes ?? ['application/json']
    const required = !body.safeParse(undefined).success
    return { required, content: Object.fromEntries(types.map((type) => [type, media])) }
  }
  return {
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.tags === undefined ? {} : { tags: route.tags }),
    ...(security === 'none' ? {} : { security: [{ [security]: [] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(documented === undefined ? {} : { requestBody: requestContent(documented) }),
    responses: {
      ...usualErrorsOf(route, info),
      ...errorResponsesOf(route.errors ?? [], info),
      ...Object.fromEntries(answers),
    },
  }
}

/**
 * Creates the OpenAPI 3.0.3 document of a service from the same route objects that Express runs.
 */
export function createOpenApiDocument(
  info: OpenApiInfo,
  routes: readonly AnyRoute<never>[],
): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    if (route.documented === false) continue
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(route, info) }
  }
  return {
    openapi: '3.0.3',
    info: { title: info.title, version: info.version, description: info.description },
    servers: [{ url: info.serverUrl }],
    paths,
    // Without a scheme the section is empty: the page would otherwise offer a useless login.
    components: info.securitySchemes === undefined ? {} : { securitySchemes: info.securitySchemes },
  }
}

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const frameStyle = `${colourStyle}${barStyle}
body { margin: 0; background: var(--card) }
`

/**
 * The interactive documentation below `docsPath`. The server hosts all of its assets, so that it
 * works offline. The document is at `{docsPath}/openapi.json`.
 */
export function apiDocumentation(
  docsPath: string,
  title: string,
  createDocument: () => unknown,
  consoleUrl: string | undefined,
): Router {
  const router = express.Router({ caseSensitive: true })
  let document: unknown
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${emptyIcon}
<link rel="stylesheet" href="${docsPath}/assets/swagger-ui.css">
<link rel="stylesheet" href="${docsPath}/frame.css">
</head>
<body>
${pageBar({ name: title, consoleUrl })}
<div id="documentation"></div>
<script src="${docsPath}/assets/swagger-ui-bundle.js"></script>
<script src="${docsPath}/start.js"></script>
</body>
</html>`.markup
  // Swagger has a dark mode but does not follow the browser's.
  const start = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
SwaggerUIBundle(${JSON.stringify({
    url: `${docsPath}/openapi.json`,
    dom_id: '#documentation',
    deepLinking: true,
    validatorUrl: null,
  })})`
  router.get(`${docsPath}/openapi.json`, (_request, response) => {
    document ??= createDocument()
    response.json(document)
  })
  router.get(`${docsPath}/start.js`, (_request, response) => {
    response.type('text/javascript').send(start)
  })
  router.get(`${docsPath}/frame.css`, (_request, response) => {
    response.type('text/css').send(frameStyle)
  })
  router.use(`${docsPath}/assets`, express.static(assets, { index: false, redirect: false }))
  router.get(docsPath, (_request, response) => {
    response
      .set(
        'content-security-policy',
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
      )
      .type('text/html')
      .send(page)
  })
  return router
}

/** Says which DIDs a registry accepts, and whether the examples have another prefix. */
export function aboutExamples(environment: DidEnvironment): string {
  const own = `DIDs of this registry start with ${didPrefixes[environment]}`
  return environment === 'pre'
    ? `${own}.`
    : `${own}; those in the examples with ${didPrefixes.pre}.`
}
