import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import type { z } from 'zod'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import { plainIssues } from '#core/json/plain-issues.ts'
import { findJsonProblem } from '#core/json/read-json.ts'
import type { AnyRoute, InputProblem, Reply } from './define-route.ts'
import {
  type ErrorBody,
  invalidRequest,
  isUnreadable,
  sendError,
  toTestbedError,
  unsupportedMediaType,
} from './errors.ts'

/**
 * Identifies the client of a request, or throws the TestbedError to return (usually 401).
 * The returned value is the route's `principal`.
 */
export type Authentication = (request: Request) => Promise<unknown> | unknown

const defaultLimit = 1024 * 1024

function bodyParser({
  contentTypes = ['application/json'],
  limit = defaultLimit,
  unreadableBody,
  emptyBody,
  reviver,
}: NonNullable<AnyRoute<never>['request']>): RequestHandler {
  const wrongContentType = () =>
    (unreadableBody ?? unsupportedMediaType)(`Send the body as ${contentTypes.join(' or ')}.`)
  const json = express.json({
    limit,
    type: () => true,
    strict: false,
    verify: (_request, _response, bytes, charset) => {
      if (bytes.length === 0 && emptyBody) throw emptyBody()
      requireSafeJson(bytes, charset)
    },
    ...(reviver && { reviver }),
  })
  const form = express.urlencoded({ limit, type: () => true, extended: false })
  return (request, response, next) => {
    const given = (request.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    // An empty body cannot have a wrong type: the schema reports what is missing.
    if (given === '' && isEmpty(request)) return next(emptyBody?.())
    if (!contentTypes.includes(given)) return next(wrongContentType())
    const parse = given === 'application/x-www-form-urlencoded' ? form : json
    return parse(request, response, (problem?: unknown) =>
      next(
        unreadableBody !== undefined && isUnreadable(problem)
          ? unreadableBody(toTestbedError(problem).message)
          : problem,
      ),
    )
  }
}

/** Rejects JSON in an encoding other than UTF-8 (RFC 8259, section 8.1), and unsafe JSON. */
function requireSafeJson(bytes: Buffer, charset: string) {
  if (charset !== 'utf-8') {
    throw unsupportedMediaType('The charset of the body is not supported; send UTF-8.')
  }
  const problem = findJsonProblem(bytes)
  if (problem === undefined) return
  throw invalidRequest(`The body could not be read as JSON: ${problem}.`)
}

function isEmpty(request: Request): boolean {
  const length = request.get('content-length') ?? '0'
  return length === '0' && request.get('transfer-encoding') === undefined
}

/** What zod reports for an absent member. */
const missingCodes: readonly string[] = ['invalid_type', 'invalid_value', 'invalid_union']

function check(
  place: InputProblem['in'],
  schema: z.ZodType | undefined,
  value: unknown,
  problems: InputProblem[],
): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value, plainIssues)
  if (result.success) return result.data
  for (const issue of result.error.issues) {
    const found = valueAt(value, issue.path)
    problems.push({
      in: place,
      path: issue.path.join('.'),
      // Express parses a repeated query parameter as an array.
      message: place === 'query' && Array.isArray(found) ? 'must not be repeated' : issue.message,
      missing: found === undefined && missingCodes.includes(issue.code),
    })
  }
  return undefined
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (current, key) =>
      typeof current === 'object' && current !== null && Object.hasOwn(current, key)
        ? (current as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  )
}

/** The error for input that a route's schemas reject, unless the route defines one. */
function invalidInput(problems: readonly InputProblem[]): TestbedError {
  const listed = problems
    .slice(0, 8)
    .map(({ in: place, path, message }) => `${path === '' ? place : path}: ${message}`)
  return invalidRequest(`The request does not have the documented shape. ${listed.join('; ')}`)
}

/** Sends a reply outside of a route. */
export function sendReply(response: Response, reply: Reply): void {
  if (response.headersSent) return
  if (reply.headers !== undefined) response.set(reply.headers)
  response.status(reply.status)
  if (reply.contentType !== undefined) response.type(reply.contentType)
  if (reply.body === undefined) response.end()
  else if (reply.body instanceof Uint8Array) response.send(Buffer.from(reply.body))
  else if (typeof reply.body === 'string' && reply.contentType !== undefined)
    response.send(reply.body)
  else if (reply.contentType !== undefined) response.send(JSON.stringify(reply.body))
  else response.json(reply.body)
}

export interface RegisterOptions<Dependencies> {
  readonly dependencies: Dependencies
  readonly authentication: Readonly<Record<string, Authentication>>
  readonly errorBody: ErrorBody
  readonly onServerError: (error: TestbedError) => void
}

/**
 * Registers a route with Express: authentication, body, schemas, handler, errors, in this order.
 */
export function registerRoute<Dependencies>(
  app: Express,
  route: AnyRoute<Dependencies>,
  options: RegisterOptions<Dependencies>,
): void {
  const authenticate = options.authentication[route.auth]
  if (route.auth !== 'none' && authenticate === undefined) {
    throw new TypeError(`${route.path} requires the unknown authentication "${route.auth}".`)
  }
  const { body, query, params } = route.request ?? {}
  const parseBody = route.request?.body === undefined ? undefined : bodyParser(route.request)

  app[route.method](route.path, async function handleRoute(request, response) {
    response.locals.route = route.path
    try {
      const principal = await authenticate?.(request)
      if (parseBody !== undefined) {
        await new Promise<void>((resolve, reject) => {
          parseBody(request, response, (problem?: unknown) =>
            problem ? reject(problem) : resolve(),
          )
        })
      }
      const problems: InputProblem[] = []
      const input = {
        body: check('body', body, request.body, problems),
        query: check('query', query, request.query, problems),
        params: check('path', params, request.params, problems),
        principal,
        request,
        response,
      }
      if (problems.length > 0) throw (route.invalidInput ?? invalidInput)(problems)
      const reply = await route.handle(input as never, options.dependencies)
      if (!route.cacheable && !response.headersSent) response.set('cache-control', 'no-store')
      sendReply(response, reply)
    } catch (thrown) {
      const error = toTestbedError(thrown)
      if (error.status >= 500) options.onServerError(error)
      sendError(response, error, route.errorBody ?? options.errorBody)
    }
  })
}
