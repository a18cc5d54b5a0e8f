import { z } from 'zod'
import { parseJson } from '#core/json/read-json.ts'
import { exchange } from '#kit/create-http-client.ts'
import { notHealthy } from '#testbed/errors.ts'
import { foreignManagementUrlOf, tirBaseUrlOf } from './environment-context.ts'
import type { RunningEnvironment } from './start-environment.ts'

/** A part with an address, for the table on the terminal and for the console. */
export interface Address {
  /** `pre`, `pro`, or `testbed` for parts that all environments share. */
  readonly group: string
  readonly name: string
  readonly url: string
  /** Absent for the chain, which only supports JSON-RPC, and for third-party systems. */
  readonly healthUrl?: string
  /** Interactive documentation of its API. */
  readonly docsUrl?: string
}

/** Every address of an environment, in the order in which its parts depend on each other. */
function listEnvironmentAddresses({ environment, context }: RunningEnvironment): Address[] {
  const { urls } = context
  const foreignManagementUrl = foreignManagementUrlOf(context)
  const services = [
    ['DID registry', urls['did-registry'], environment === 'pre' ? '/api' : '/api/v1'],
    ['TIR', tirBaseUrlOf(context), '/api-docs'],
    ['API keys', urls['api-keys'], '/api-docs'],
    ['management API', urls.management, '/swagger'],
    ['connector', urls.connector, '/swagger'],
    ['issuer', urls.issuer, '/swagger'],
    ['verifier', urls.verifier, '/swagger'],
    ['IDP', urls.idp, '/swagger'],
    ['token issuer', urls['token-issuer'], '/swagger'],
  ] as const
  return [
    { group: environment, name: 'chain (JSON-RPC)', url: urls.chain },
    ...services.map(([name, url, docs]) =>
      name === 'management API' && foreignManagementUrl !== undefined
        ? { group: environment, name, url: foreignManagementUrl }
        : {
            group: environment,
            name,
            url,
            healthUrl: `${url}/health`,
            docsUrl: `${url}${docs}`,
          },
    ),
  ]
}

export interface CommonUrls {
  readonly consoleUrl: string
  readonly mailUrl: string
  readonly smtpUrl: string
}

/** Every address of a testbed. */
export function listAddresses(
  environments: readonly RunningEnvironment[],
  { consoleUrl, mailUrl, smtpUrl }: CommonUrls,
): Address[] {
  const group = 'testbed'
  return [
    {
      group,
      name: 'console',
      url: consoleUrl,
      healthUrl: `${consoleUrl}/health`,
      docsUrl: `${consoleUrl}/control/docs`,
    },
    {
      group,
      name: 'mail (inbox and API)',
      url: mailUrl,
      healthUrl: `${mailUrl}/health`,
      docsUrl: `${mailUrl}/swagger`,
    },
    { group, name: 'mail (SMTP)', url: smtpUrl },
    ...environments.flatMap(listEnvironmentAddresses),
  ]
}

const limitMilliseconds = 5000
const retryMilliseconds = 250

const zHealth = z.object({ dependencies: z.record(z.string(), z.string()).default({}) })

/** What a service reports about itself; empty if it is healthy. */
export interface ReportedHealth {
  /** The service does not work. */
  readonly problem?: string
  /** It works, but a dependency is unavailable. */
  readonly degraded?: string
}

/** Reads the health of a service. */
export async function readHealth(healthUrl: string): Promise<ReportedHealth> {
  try {
    const { origin, pathname: path } = new URL(healthUrl)
    const limits = { milliseconds: limitMilliseconds, bytes: 65_536 }
    // Node's fetch takes longer to load than all services take to answer.
    const { status, bytes } = await exchange({ origin, path, method: 'GET' }, limits)
    if (status < 200 || status > 299) return { problem: `HTTP ${status}` }
    const health = zHealth.safeParse(parseJson(Buffer.from(bytes).toString()))
    const away = Object.entries(health.data?.dependencies ?? {})
      .filter(([, state]) => state !== 'connected')
      .map(([name, state]) => `${name} ${state}`)
    return away.length === 0 ? {} : { degraded: away.join(', ') }
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

/**
 * Waits until every service and all its dependencies are healthy, for 30 s at most. `reach`
 * converts a public address to an address that this machine can reach.
 * @throws TestbedError `not_healthy` with the names of the unhealthy services
 */
export async function checkHealth(
  addresses: readonly Address[],
  reach: (url: string) => string,
  waitMilliseconds = 30_000,
): Promise<void> {
  const began = performance.now()
  const findProblem = async ({ group, name, healthUrl }: Address): Promise<string | undefined> => {
    if (healthUrl === undefined) return undefined
    for (;;) {
      const { problem, degraded: illness = problem } = await readHealth(reach(healthUrl))
      if (illness === undefined) return undefined
      if (performance.now() - began >= waitMilliseconds) return `${group} ${name} (${illness})`
      await new Promise((resolve) => setTimeout(resolve, retryMilliseconds))
    }
  }
  const problems = await Promise.all(addresses.map(findProblem))
  const unhealthy = problems.filter((problem) => problem !== undefined)
  if (unhealthy.length === 0) return
  throw notHealthy(unhealthy)
}
