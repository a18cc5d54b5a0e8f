import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { runSuites } from '#testbed/library/run-suites.ts'
import { startTestbed } from '#testbed/library/start-testbed.ts'
import type { Example } from './examples.ts'

export interface RecordedExchange {
  readonly hop: Hop
  /** The latest access token of the caller before the request. */
  readonly accessToken: unknown
}

export interface Recording {
  /** By the id of the example. */
  readonly exchanges: ReadonlyMap<string, RecordedExchange>
  readonly environment: Environment
  /** Unix seconds. */
  readonly startedAt: number
}

/**
 * Runs the scenarios of the examples on a new testbed and picks the exchange of each.
 * @throws Error if a scenario does not pass or an exchange is missing
 */
export async function recordExchanges(examples: readonly Example[]): Promise<Recording> {
  const startedAt = Date.now() / 1000
  const seed = 'profile-examples'
  await using testbed = await startTestbed({ seed })
  const environment = testbed.file.environments.pre
  if (environment === undefined) throw new Error('The testbed has no environment pre.')
  const { scenarios } = await runSuites({
    testbed: testbed.file,
    seed,
    parallelism: 1,
    pattern: `^(${[...new Set(examples.map(({ scenario }) => scenario))].join('|')})$`,
  })
  const exchanges = new Map<string, RecordedExchange>()
  for (const example of examples) {
    const scenario = scenarios.find(({ id }) => id === example.scenario)
    if (scenario?.verdict !== 'passed') {
      throw new Error(`${example.scenario}: ${scenario?.failure?.message ?? 'it did not run'}`)
    }
    const hops: readonly Hop[] = scenario.hops
    const recorded = findExchange(example, hops)
    const hop = example.readsReceipt
      ? await readReceipt(environment.chain.rpcUrl, recorded)
      : recorded
    exchanges.set(example.id, { hop, accessToken: findAccessToken(recorded, hops) })
  }
  return { exchanges, environment, startedAt }
}

function findExchange({ id, exchange, where = () => true }: Example, hops: readonly Hop[]): Hop {
  const hop = hops.find(
    (each) =>
      exchange.test(`${each.from} ${each.to} ${each.method} ${each.url.split('?', 1)[0]}`) &&
      where(each),
  )
  if (hop === undefined) throw new Error(`The scenario has no exchange for the example ${id}.`)
  return hop
}

/** The latest token of the caller; the control interface mints those of portals. */
function findAccessToken(request: Hop, hops: readonly Hop[]): unknown {
  return hops
    .slice(0, hops.indexOf(request))
    .filter(({ from }) => from === request.from || from === 'control')
    .map(
      ({ responseBody }) =>
        (responseBody as { access_token?: unknown } | null | undefined)?.access_token,
    )
    .findLast((token) => token !== undefined)
}

/** Asks the chain node for the receipt of a transaction that the TIR took; nothing records that. */
async function readReceipt(rpcUrl: string, sent: Hop): Promise<Hop> {
  const { result } = sent.responseBody as { result: string }
  const headers = { 'content-type': 'application/json' }
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [result] }
  const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(call) })
  return {
    ...sent,
    to: 'chain',
    url: '/',
    status: response.status,
    requestHeaders: headers,
    requestBody: call,
    responseHeaders: headers,
    responseBody: await response.json(),
  }
}
