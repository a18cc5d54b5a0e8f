import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { createHttpClient, type HttpRequest } from './http-client.ts'
import { type Hop, zHop } from './z-hop.ts'

export interface BearerTokenRequest {
  readonly organizationIdentifier: string
  /** By default the organization's representative. */
  readonly email?: string
  /** Claims to leave out, for negative tests. */
  readonly omit?: readonly string[]
  /** Lifetime in seconds. */
  readonly expiresIn?: number
}

/** The testbed's control interface (interfaces, section 4), as far as scenarios use it. */
export interface ControlClient {
  /** An access token that the token issuer minted for a representative. */
  createBearerToken(request: BearerTokenRequest): Promise<string>
  /** The testbed's time in Unix seconds, as of the last call that told it. */
  now(): number
  /** Asks for the testbed's time, in Unix seconds. */
  readClock(): Promise<number>
  /** Moves the clock of all services and the chain; gives the new time in Unix seconds. */
  advanceClock(seconds: number): Promise<number>
  /** Back to real time. */
  resetClock(): Promise<number>
  /** Breaks a dependency on purpose, or mends it: `tir-down`, `chain-down`, … */
  setFault(name: string, isActive: boolean): Promise<void>
  /** The recorded hops with an id above `since`, in the order of their ids. */
  readTraces(since: number): Promise<Hop[]>
}

export interface ControlClientOptions {
  readonly url: string
  readonly token: string
  /** Name in `environments` of `testbed.json`. */
  readonly environment: string
  /** Value of `x-scenario-id` at this moment. */
  readonly scenarioId: () => string
  readonly signal: AbortSignal
}

const zBearerToken = z.object({ access_token: z.string() })
const zClock = z.object({ now: z.number() })
const zFault = z.object({ active: z.boolean() })
const zTraces = z.object({ hops: z.array(zHop) })

// Immune against a testbed in this process that has moved `Date` for everyone.
const realSeconds = () => (performance.timeOrigin + performance.now()) / 1000

export function createControlClient(options: ControlClientOptions): ControlClient {
  const { url, token, environment, scenarioId, signal } = options
  const http = createHttpClient({ caller: 'control', scenarioId, signal })
  let offsetSeconds = 0

  async function call<T>(path: string, answer: z.ZodType<T>, request: HttpRequest = {}) {
    const headers = { authorization: `Bearer ${token}` }
    const { status, text, json } = await http.request(`${url}${path}`, { ...request, headers })
    const parsed = answer.safeParse(json)
    if (status === 200 && parsed.success) return parsed.data
    const problem = parsed.success || status !== 200 ? text : z.prettifyError(parsed.error)
    throw new TestbedError({
      code: 'control_refused',
      status: 502,
      message: `The control interface answered ${status} to ${path}: ${problem.slice(0, 500)}`,
    })
  }

  async function callClock(request?: HttpRequest): Promise<number> {
    const { now } = await call('/clock', zClock, request)
    offsetSeconds = now - Math.floor(realSeconds())
    return now
  }

  return {
    async createBearerToken({ organizationIdentifier, email, omit, expiresIn }) {
      const json = {
        organization_identifier: organizationIdentifier,
        email,
        omit,
        expires_in: expiresIn,
      }
      return (await call(`/${environment}/bearer-tokens`, zBearerToken, { json })).access_token
    },
    now: () => Math.floor(realSeconds()) + offsetSeconds,
    readClock: () => callClock(),
    advanceClock: (seconds) => callClock({ json: { advance_seconds: seconds } }),
    resetClock: () => callClock({ method: 'DELETE' }),
    async setFault(name, isActive) {
      const method = isActive ? 'PUT' : 'DELETE'
      await call(`/${environment}/faults/${encodeURIComponent(name)}`, zFault, { method })
    },
    readTraces: async (since) => (await call(`/traces?since=${since}`, zTraces)).hops,
  }
}
