import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { runSuites } from '#testbed/library/run-suites.ts'
import { startTestbed } from '#testbed/library/start-testbed.ts'
import { type Example, examples } from './examples.ts'
import { createNormalizer, type Normalize } from './normalize-messages.ts'
import { fillExamples, findExampleIds, renderExchange, renderJson } from './render-example.ts'

/**
 * The pages of the profile with new examples, by file. Two runs give the same pages.
 * @throws Error if the markers of the pages and the list of examples differ, or if recording fails
 */
export async function createPages(root: string): Promise<ReadonlyMap<string, string>> {
  const files = globSync('docs/profile/*.md', { cwd: root }).sort()
  const pages = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const used = [...pages.values()].flatMap(findExampleIds)
  const unused = examples.map(({ id }) => id).filter((id) => !used.includes(id))
  if (unused.length > 0) throw new Error(`No page has a marker for ${unused.join(', ')}.`)

  const { exchanges, environment, startedAt } = await recordExchanges(examples)
  const origins = listOrigins(environment)
  const normalize = createNormalizer({ origins, roles: listRoles(environment), startedAt })
  const rendered = new Map(
    examples.map((example) => {
      const exchange = exchanges.get(example.id) as RecordedExchange
      return [example.id, renderExample(example, exchange, normalize)]
    }),
  )
  return new Map([...pages].map(([file, page]) => [file, fillExamples(page, rendered)]))
}

function listOrigins(environment: Environment): ReadonlyMap<string, string> {
  const originOf = (url: string) => new URL(url).origin
  return new Map([
    [originOf(environment.issuerBaseUrl), 'https://issuer.example'],
    [originOf(environment.credentialIssuerUrl), 'https://issuer.example'],
    [originOf(environment.idpBaseUrl), 'https://idp.example'],
    [originOf(environment.verifierBaseUrl), 'https://verifier.example'],
    [originOf(environment.tokenIssuerBaseUrl), 'https://token-issuer.example'],
    [originOf(environment.didRegistryBaseUrl), 'https://did-registry.example'],
    [originOf(environment.tirBaseUrl), 'https://tir.example'],
    [originOf(environment.oidcClient.redirectUri), 'https://client.example'],
  ])
}

function listRoles({ trustChain, verifierDid }: Environment): ReadonlyMap<string, string> {
  return new Map([
    [trustChain.rootTao.did, 'Root'],
    [trustChain.tao.did, 'Tao'],
    [trustChain.issuer.did, 'Issuer'],
    [verifierDid, 'Verifier'],
  ])
}

function renderExample(
  example: Example,
  { hop, accessToken }: RecordedExchange,
  normalize: Normalize,
): string {
  const {
    text,
    headers,
    isAuthorized,
    shorten = (body) => body,
    decoded = [],
    isDecodedOnly,
  } = example
  const isRedirect = hop.status >= 300 && hop.status < 400
  const blocks = isDecodedOnly
    ? []
    : [
        text,
        renderExchange({
          method: hop.method,
          url: String(normalize(hop.url)),
          host: `${hop.to === 'connector' ? 'issuer' : hop.to}.example`,
          status: hop.status,
          requestHeaders: {
            ...(isAuthorized && {
              authorization: `Bearer ${normalize(accessToken, 'access_token')}`,
            }),
            ...headers,
            ...pickHeaders(hop.requestHeaders, normalize),
          },
          requestBody: normalize(hop.requestBody),
          responseHeaders: pickHeaders(hop.responseHeaders, normalize, isRedirect),
          responseBody: isRedirect ? undefined : normalize(shorten(hop.responseBody)),
        }),
      ]
  const parts = decoded.flatMap(({ text: title, read }) => [
    title,
    renderJson(normalize(decode(read(hop)))),
  ])
  return [...blocks, ...parts].join('\n\n')
}

/** The headers that belong to the protocol, without parameters. A redirect has no body of interest. */
const pickHeaders = (headers: Hop['requestHeaders'], normalize: Normalize, isRedirect = false) =>
  Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, value]) =>
      name === (isRedirect ? 'location' : 'content-type')
        ? [[name, String(normalize(value.replace(/;.*/, '')))]]
        : [],
    ),
  )

/** Header and payload of a JWT; another value unchanged. */
function decode(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [header, payload] = value
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  return { header, payload }
}

interface RecordedExchange {
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
async function recordExchanges(examples: readonly Example[]): Promise<Recording> {
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
