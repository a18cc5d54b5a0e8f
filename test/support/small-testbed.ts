import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { listenForTest } from './servers.ts'

const hex = (digit: string, length: number) => `0x${digit.repeat(length)}`

const member = (name: string) => ({
  did: `did:org:uc-pre:z1${name}`,
  attributeId: 'a'.repeat(64),
  privateKey: hex('1', 64),
  vMethodId: 'v'.repeat(43),
})

const organization = (organizationIdentifier: string) => ({
  organizationIdentifier,
  organization: 'An organization',
  representative: { email: 'representative@example.org', userIdentifier: 'user-1' },
  authorizedPowers: [
    { type: 'domain', domain: 'portal', function: 'onboarding', action: ['read'] },
  ],
})

/** A complete `testbed.json` whose addresses all lead to one server. */
export function createTestbedFile(origin: string): TestbedFile {
  const client = { clientId: 'client', clientSecret: 'secret', redirectUri: `${origin}/callback` }
  const account = { username: 'user', password: 'password' }
  return {
    schemaVersion: 1,
    pid: 4242,
    startedAt: '2026-11-21T10:00:00.000Z',
    control: { url: `${origin}/control`, token: 'control-token' },
    consoleUrl: origin,
    mail: { smtpUrl: 'smtp://127.0.0.1:4025', apiUrl: `${origin}/mail` },
    environments: {
      pre: {
        didPrefix: 'did:org:uc-pre:',
        chain: {
          rpcUrl: origin,
          chainId: '0x7a69',
          didRegistryAddress: hex('2', 40),
          tirAddress: hex('3', 40),
        },
        didRegistryBaseUrl: origin,
        tirBaseUrl: `${origin}/trusted-issuers-registry`,
        issuerBaseUrl: origin,
        credentialIssuerUrl: origin,
        idpBaseUrl: origin,
        verifierBaseUrl: origin,
        verifierDid: 'did:org:uc-pre:z1verifier',
        tokenIssuerBaseUrl: origin,
        managementApiUrl: origin,
        apiKeys: { tir: 'tir-key', issuer: 'issuer-key', idp: 'idp-key' },
        onboardingNode: { address: hex('4', 40), privateKey: hex('5', 64) },
        operator: { address: hex('6', 40), privateKey: hex('7', 64) },
        trustChain: { rootTao: member('root'), tao: member('tao'), issuer: member('issuer') },
        oidcClient: client,
        tokenIssuerClient: client,
        tokenIssuerAccount: account,
        admin: account,
        organizations: [organization('VATES-A12345678'), organization('VATES-B87654321')],
      },
    },
  }
}

export interface SmallTestbed {
  readonly origin: string
  readonly testbed: TestbedFile
  readonly hops: readonly Hop[]
  /** Every call of the control interface, as `METHOD path`. */
  readonly controlCalls: readonly string[]
}

const realNow = () => Math.floor(Date.now() / 1000)

/**
 * An HTTP server with a clock, faults and traces as the control interface has them, and services that
 * answer `/status/NNN` with that status and `/hang` never; its chain is at `/`, each block with a transaction. It ends with the running test.
 */
export async function startSmallTestbed(): Promise<SmallTestbed> {
  const hops: Hop[] = []
  const controlCalls: string[] = []
  const faults = new Set<string>()
  let offset = 0
  let blockTime = realNow()
  let savedBlockTime = blockTime
  let blocks = 1

  async function control(request: IncomingMessage, url: URL): Promise<unknown> {
    controlCalls.push(`${request.method} ${url.pathname.slice('/control'.length)}`)
    if (url.pathname === '/control/traces') {
      return { hops: hops.filter(({ id }) => id > Number(url.searchParams.get('since'))) }
    }
    const [, fault] = url.pathname.match(/\/faults\/([^/]+)$/) ?? []
    if (fault !== undefined) {
      if (request.method === 'DELETE') faults.delete(fault)
      else faults.add(fault)
      return { name: fault, active: faults.has(fault) }
    }
    if (url.pathname.endsWith('/faults')) {
      return { faults: [...faults].map((name) => ({ name, active: true })) }
    }
    if (url.pathname === '/control/snapshots') {
      savedBlockTime = blockTime
      return { id: '1' }
    }
    if (url.pathname === '/control/snapshots/1/restore') blockTime = savedBlockTime
    if (url.pathname !== '/control/clock') return {}
    if (request.method === 'DELETE') offset = 0
    if (request.method === 'POST') offset += JSON.parse(await text(request)).advance_seconds
    // The chain follows the clock, and never goes back.
    blockTime = Math.max(blockTime, realNow() + offset)
    return { now: realNow() + offset }
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname.startsWith('/control/')) {
      const authorized = request.headers.authorization === 'Bearer control-token'
      response.writeHead(authorized ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(authorized ? await control(request, url) : {}))
      return
    }
    if (url.pathname === '/') {
      const { method, params } = JSON.parse(await text(request))
      if (method === 'eth_sendRawTransaction') blocks += 1
      const number = params[0] === 'latest' ? `0x${blocks.toString(16)}` : params[0]
      const result = { number, timestamp: `0x${blockTime.toString(16)}`, transactions: ['0x1'] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
      return
    }
    const status = Number(url.pathname.match(/^\/status\/(\d{3})$/)?.[1] ?? 404)
    hops.push({
      id: hops.length + 1,
      at: Date.now() + offset * 1000,
      durationMilliseconds: 1,
      scenarioId: String(request.headers['x-scenario-id']),
      from: String(request.headers['user-agent']).replace('lear-testbed/', ''),
      to: 'issuer',
      kind: 'http',
      method: request.method ?? 'GET',
      url: url.pathname,
      status,
    })
    if (url.pathname === '/hang') return
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"ok":true}')
  })
  const origin = await listenForTest(server)
  return { origin, testbed: createTestbedFile(origin), hops, controlCalls }
}
