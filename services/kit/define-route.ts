import type { Request, Response } from 'express'
import type { z } from 'zod'
import type { TestbedError } from '#core/errors/testbed-error.ts'

type HttpMethod = 'get' | 'post' | 'put' | 'delete'

/** One documented response of a route. */
export interface RouteResponse {
  readonly description: string
  readonly body?: z.ZodType
  /** Default: `application/json` if there is a body. Several if the client chooses. */
  readonly contentType?: string | readonly string[]
  readonly example?: unknown
  /** Several named examples, instead of one. */
  readonly examples?: Readonly<Record<string, unknown>>
}

/**
 * A handler's response: objects become JSON; with `contentType`, bytes and strings are sent
 * unchanged.
 */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface RouteRequest<
  Body extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Params extends z.ZodType | undefined,
> {
  readonly body?: Body
  readonly query?: Query
  readonly params?: Params
  /** The body's schema in the documentation, for a handler that validates the body itself. */
  readonly documented?: z.ZodType
  /** Accepted content types of the body. Default: only `application/json`. */
  readonly contentTypes?: readonly string[]
  /**
   * Replaces the 413 and 415 for a body with another content type, charset or encoding, or with too
   * many parameters, if the protocol defines its own response. A body above `limit` stays a 413.
   */
  readonly unreadableBody?: (message: string) => TestbedError
  /** The error for an empty body. Default: it counts as an object without members. */
  readonly emptyBody?: () => TestbedError
  /** Reviver of `JSON.parse`, if a number must keep its spelling. */
  readonly reviver?: (
    name: string,
    value: unknown,
    context?: { readonly source?: string },
  ) => unknown
  /** Largest accepted body in bytes. Default: 1 MiB. */
  readonly limit?: number
  readonly example?: unknown
  /** Several named examples, instead of one. */
  readonly examples?: Readonly<Record<string, unknown>>
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

export interface RouteInput<Body, Query, Params, Principal> {
  readonly body: Parsed<Body>
  readonly query: Parsed<Query>
  readonly params: Parsed<Params>
  /** The client that the route's authentication identified; `undefined` for `auth: 'none'`. */
  readonly principal: Principal
  readonly request: Request
  readonly response: Response
}

/**
 * One endpoint as data, read by the server, the OpenAPI document and the coverage check.
 */
export interface Route<
  Dependencies,
  Principal = unknown,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Params extends z.ZodType | undefined = z.ZodType | undefined,
> {
  readonly method: HttpMethod
  /** Express 5 path, with parameters as `:name`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** `none`, or the name of an authentication given to the app. */
  readonly auth: string
  /** Security scheme for the documentation, if the handler checks the credentials itself. */
  readonly security?: string
  readonly request?: RouteRequest<Body, Query, Params>
  readonly responses: Readonly<Record<number, RouteResponse>>
  /** Error codes that this route returns. */
  readonly errors?: readonly string[]
  /** Replaces the app's error for input that the schemas reject. */
  readonly invalidInput?: (problems: readonly InputProblem[]) => TestbedError
  /** Replaces the app's wire format of errors, for endpoints of another protocol. */
  readonly errorBody?: (error: TestbedError) => unknown
  /** True for endpoints that wallets call: pages of any origin may use them. */
  readonly crossOrigin?: boolean
  /**
   * True for public content: without its own Cache-Control header, caches decide how long they
   * keep it. Other routes send `no-store` then.
   */
  readonly cacheable?: boolean
  /** False keeps the route out of the interactive documentation. */
  readonly documented?: boolean
  handle(
    input: RouteInput<Body, Query, Params, Principal>,
    dependencies: Dependencies,
  ): Promise<Reply> | Reply
}

/** A member of the input that a schema rejected. */
export interface InputProblem {
  readonly in: 'body' | 'query' | 'path'
  /** Path of the member, for example `power.0.action`. */
  readonly path: string
  readonly message: string
  /** True if the member is missing. */
  readonly missing: boolean
}

/** A route whose types were checked at its definition; what an app registers. */
export type AnyRoute<Dependencies> = Omit<Route<Dependencies>, 'handle'> & {
  // Method syntax, so that a route with narrower input still fits the list.
  handle(input: never, dependencies: Dependencies): Promise<Reply> | Reply
}

/**
 * Types a route against its dependencies and infers its input from its schemas.
 * Bodies are JSON unless the route says otherwise.
 *
 * @row 1.endpoints.1
 * @example export const health = defineRoute<Dependencies>()({ method: 'get', … })
 */
export function defineRoute<Dependencies, Principal = undefined>() {
  return <
    Body extends z.ZodType | undefined = undefined,
    Query extends z.ZodType | undefined = undefined,
    Params extends z.ZodType | undefined = undefined,
  >(
    route: Route<Dependencies, Principal, Body, Query, Params>,
  ): AnyRoute<Dependencies> => route
}
