import { createServer as createTcpServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { PlanName } from '#conformance/kit/check.ts'
import { preflight } from '#conformance/targets/preflight/preflight.ts'
import { parseTarget } from '#conformance/targets/read-target.ts'
import {
  type Answer,
  type Asked,
  certificateFile,
  findFreePorts,
  listenOn,
  startAnsweringServer,
  startTlsProxy,
} from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const did = 'did:org:uc-pre:z1RootOfTrust'
const key = `0x${'1'.repeat(64)}`
const json = (body: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
})

/** A correct system of each kind: what it answers to a request, by method and path. */
const systems: Readonly<Record<string, (asked: Asked, url: string) => Answer | undefined>> = {
  'GET /.well-known/openid-configuration': (_, url) =>
    json({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      scopes_supported: ['openid', 'profile', 'email', 'openid-vp-lear'],
    }),
  'GET /jwks': () => json({ keys: [] }),
  'POST /token': ({ headers }) => {
    const basic = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()
    return /^(relying-party|second):right$/.test(basic)
      ? json({ error: 'invalid_grant' }, 400)
      : json({ error: 'invalid_client' }, 401)
  },
  'GET /authorize': ({ path }) =>
    new URL(path, 'http://x').searchParams.get('redirect_uri') === 'http://127.0.0.1:9/callback'
      ? { status: 200, body: '<html>' }
      : { status: 400, body: '<html>' },
  'GET /.well-known/openid-credential-issuer': (_, url) =>
    json({
      credential_issuer: url,
      credential_endpoint: `${url}/credential`,
      credential_configurations_supported: {},
    }),
  'GET /api/v1/identifiers': () => json({ items: [did] }),
  [`GET /api/v1/identifiers/${encodeURIComponent(did)}`]: () => json({ id: did }),
  'POST /tir/v1/jsonrpc': ({ headers }) =>
    headers['x-api-key'] === 'right' ? json({ id: 1, error: {} }) : json({ error: {} }, 401),
  'POST /rpc': () => json({ jsonrpc: '2.0', id: 1, result: '0x1' }),
  'POST /sessions': ({ headers }) =>
    headers['x-api-key'] === 'right'
      ? json({ session_id: '1', authorization_request: 'openid4vp://?request_uri=http://x' })
      : json({ error: 'unauthorized' }, 401),
  'GET /sessions/preflight': () => json({ error: 'unknown_session' }, 404),
  'GET /login': () => json({ error: 'provider_unavailable' }, 502),
  'GET /callback': () => json({ error: 'no_login' }, 400),
  'GET /me': () => json({ error: 'unauthorized' }, 401),
  'GET /page.html': () => ({ status: 200, body: '<html>' }),
  'GET /slow': () => 'hang',
}

async function startSystem(changes: typeof systems = {}) {
  const system: { url: string } = await startAnsweringServer((asked) => {
    const [path = ''] = asked.path.split('?')
    const answers = { ...systems, ...changes }
    const answer = answers[`${asked.method} ${path}`] ?? answers['*']
    if (answer) return answer(asked, system.url) ?? json({}, 404)
    if (path.startsWith('/tir/v1/issuers/')) {
      return json({ error: 'not_found', message: 'Unknown issuer.' }, 404)
    }
    return { status: 404, body: 'Cannot GET' }
  })
  return system.url
}

type Target = Record<string, unknown>
const correct: Readonly<Record<PlanName, (url: string) => Target>> = {
  idp: (url) => ({
    issuer: url,
    client: {
      clientId: 'relying-party',
      clientSecret: 'right',
      redirectUri: 'http://127.0.0.1:9/callback',
    },
  }),
  'relying-party': (url) => ({
    client: { clientId: 'my-app', clientSecret: 'secret', redirectUri: `${url}/callback` },
    loginUrl: `${url}/login`,
    userPage: `${url}/me`,
  }),
  issuer: (url) => ({
    credentialIssuer: url,
    didRegistryBaseUrl: url,
    tirBaseUrl: `${url}/tir`,
    rootDids: [did],
    adapter: { 'create-offer': { url: `${url}/offers` } },
  }),
  'did-registry': (url) => ({ baseUrl: url, chain: { rpcUrl: `${url}/rpc` } }),
  tir: (url) => ({
    baseUrl: `${url}/tir`,
    didRegistryBaseUrl: url,
    apiKey: 'right',
    chain: { rpcUrl: `${url}/rpc` },
  }),
  verifier: (url) => ({
    request: {
      call: { url: `${url}/sessions`, method: 'POST', headers: { 'x-api-key': 'right' } },
      link: '$.authorization_request',
      session: '$.session_id',
    },
    verdict: {
      poll: {
        url: `${url}/sessions/{session}`,
        path: '$.status',
        accepted: ['SUCCESS'],
        refused: ['FAILED'],
      },
    },
  }),
  wallet: (url) => ({ adapter: { type: 'http', url } }),
}

/** Merges into nested members; undefined removes one. */
function merge(target: Target, change: Target): Target {
  const merged = { ...target }
  for (const [name, value] of Object.entries(change)) {
    const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value)
    merged[name] = isMapping ? merge((merged[name] ?? {}) as Target, value as Target) : value
  }
  return JSON.parse(JSON.stringify(merged)) as Target
}

/** The problems of a target, as `code member`: first of its text, then of the system. */
async function problemsOf(plan: PlanName, content: Target) {
  const text = JSON.stringify({ plan, name: 'System', ...content })
  const options = { folder: createTemporaryFolder(), environment: { PATH: '' } }
  const { target, problems } = await parseTarget(text, plan, options)
  if (problems.length > 0)
    return problems.map(({ member, advice }) => ({ code: 'text', member, advice }))
  return preflight(plan, target, new AbortController().signal)
}

interface Mistake {
  readonly name: string
  readonly plan: PlanName
  readonly code: string
  readonly member: string
  /** Of the correct target. */
  readonly change?: (url: string) => Target | Promise<Target>
  /** Of the correct system. */
  readonly system?: typeof systems
}

const text = (name: string, plan: PlanName, member: string, change: Target): Mistake => ({
  name,
  plan,
  code: 'text',
  member,
  change: () => change,
})

const refusedPort = async () => `http://127.0.0.1:${(await findFreePorts(1))[0]}`
const portOf = (url: string) => new URL(url).port
const discovery = 'GET /.well-known/openid-configuration'
const metadata = 'GET /.well-known/openid-credential-issuer'
const poll = (members: Target) => () => ({ verdict: { poll: members } })

const mistakes: readonly Mistake[] = [
  text('unknown member', 'idp', 'isuer', { isuer: 'http://x' }),
  text('missing member', 'idp', 'client.clientSecret', { client: { clientSecret: undefined } }),
  text('missing registry', 'tir', 'didRegistryBaseUrl', { didRegistryBaseUrl: undefined }),
  text('number for a string', 'idp', 'client.clientId', { client: { clientId: 7 } }),
  text('string for a number', 'idp', 'patience', { patience: 'ten' }),
  text('number out of range', 'idp', 'patience', { patience: 301 }),
  text('address without a scheme', 'issuer', 'credentialIssuer', { credentialIssuer: 'x.example' }),
  text('address of another scheme', 'wallet', 'adapter.url', { adapter: { url: 'ftp://x' } }),
  text('trailing slash', 'did-registry', 'baseUrl', { baseUrl: 'http://x.example/' }),
  text('unset variable', 'tir', 'apiKey', { apiKey: '$TIR_API_KEY' }),
  text('unknown environment', 'tir', 'environment', { environment: 'prod' }),
  text('root that is not a DID', 'issuer', 'rootDids[0]', { rootDids: ['z1Root'] }),
  text('unknown adapter', 'wallet', 'adapter.type', { adapter: { type: 'htpp' } }),
  text('program that is not there', 'issuer', 'adapter.create-offer', {
    adapter: { 'create-offer': undefined, 'create-deferred-offer': 'no-such-program' },
  }),
  text('unknown placeholder', 'verifier', 'verdict.poll.url', {
    verdict: { poll: { url: 'http://x/{sesion}' } },
  }),
  text('invalid JSONPath', 'verifier', 'verdict.poll.path', {
    verdict: { poll: { path: 'status' } },
  }),
  text('target of another plan', 'wallet', 'plan', { plan: 'idp' }),
  {
    name: 'host that does not exist',
    plan: 'idp',
    code: 'unknown-host',
    member: 'issuer',
    // The resolver rejects a label of more than 63 characters without asking a DNS server.
    change: () => ({ issuer: `http://${'x'.repeat(64)}.invalid` }),
  },
  {
    name: 'login page that does not exist',
    plan: 'relying-party',
    code: 'not-found',
    member: 'loginUrl',
    change: (url) => ({ loginUrl: `${url}/log-in` }),
  },
  ...[
    { code: 'other-client', member: 'client.clientId', name: 'client_id' },
    { code: 'other-client', member: 'client.redirectUri', name: 'redirect_uri' },
    { code: 'other-provider', member: 'loginUrl', name: 'issuer' },
  ].map(
    ({ name, ...problem }): Mistake => ({
      ...problem,
      name: `other ${name} in the application`,
      plan: 'relying-party',
      change: () => ({ kit: { port: 4704 } }),
      system: {
        'GET /login': (_, url) => {
          const origin = `http://127.0.0.1:${name === 'issuer' ? 4705 : 4704}`
          const request = {
            client_id: 'my-app',
            redirect_uri: `${url}/callback`,
            [name]: 'another',
          }
          const location = `${origin}/op/authorize?${new URLSearchParams(request)}`
          return { status: 302, headers: { location } }
        },
      },
    }),
  ),
  {
    name: 'wrong port',
    plan: 'idp',
    code: 'nothing-listens',
    member: 'issuer',
    change: async () => ({ issuer: await refusedPort() }),
  },
  {
    name: 'self-signed certificate',
    plan: 'issuer',
    code: 'self-signed',
    member: 'credentialIssuer',
    change: async (url) => ({
      credentialIssuer: (await startTlsProxy(Number(portOf(url)))).origin,
    }),
  },
  {
    name: 'https to a server of http',
    plan: 'did-registry',
    code: 'not-https',
    member: 'baseUrl',
    change: (url) => ({ baseUrl: url.replace('http:', 'https:') }),
  },
  {
    name: 'http to a server of https',
    plan: 'did-registry',
    code: 'connection-closed',
    member: 'baseUrl',
    change: async (url) => {
      const { origin } = await startTlsProxy(Number(portOf(url)))
      return { baseUrl: origin.replace('https:', 'http:') }
    },
  },
  {
    name: 'service that does not speak HTTP',
    plan: 'wallet',
    code: 'not-http',
    member: 'adapter.url',
    change: async () => {
      const server = createTcpServer((socket) => void socket.end('220 mail ESMTP\r\n'))
      server.unref()
      return { adapter: { url: await listenOn(server) } }
    },
  },
  {
    name: 'path of the metadata in the issuer',
    plan: 'idp',
    code: 'path-doubled',
    member: 'issuer',
    change: (url) => ({ issuer: `${url}/.well-known/openid-configuration` }),
  },
  {
    name: 'path of the metadata in the credential issuer',
    plan: 'issuer',
    code: 'path-doubled',
    member: 'credentialIssuer',
    change: (url) => ({ credentialIssuer: `${url}/.well-known/openid-credential-issuer` }),
  },
  {
    name: 'API path in the DID registry',
    plan: 'did-registry',
    code: 'path-doubled',
    member: 'baseUrl',
    change: (url) => ({ baseUrl: `${url}/api/v1` }),
  },
  {
    name: 'version in the TIR',
    plan: 'tir',
    code: 'path-doubled',
    member: 'baseUrl',
    change: (url) => ({ baseUrl: `${url}/tir/v1` }),
  },
  {
    name: 'wrong path of the IDP',
    plan: 'idp',
    code: 'not-found',
    member: 'issuer',
    change: (url) => ({ issuer: `${url}/realms/lear` }),
  },
  {
    name: 'path missing from the TIR',
    plan: 'tir',
    code: 'wrong-registry',
    member: 'baseUrl',
    change: (url) => ({ baseUrl: url }),
  },
  {
    name: 'redirect',
    plan: 'idp',
    code: 'redirect',
    member: 'issuer',
    system: { [discovery]: () => ({ status: 301, headers: { location: 'https://x.example' } }) },
  },
  {
    name: 'outage of the system',
    plan: 'issuer',
    code: 'server-error',
    member: 'credentialIssuer',
    system: { [metadata]: () => json({}, 503) },
  },
  {
    name: 'metadata behind a login',
    plan: 'issuer',
    code: 'unauthorized',
    member: 'credentialIssuer',
    system: { [metadata]: () => json({}, 403) },
  },
  {
    name: 'web page instead of metadata',
    plan: 'idp',
    code: 'not-json',
    member: 'issuer',
    system: { [discovery]: () => ({ status: 200, body: '<html>' }) },
  },
  {
    name: 'metadata of another issuer',
    plan: 'idp',
    code: 'issuer-mismatch',
    member: 'issuer',
    system: {
      [discovery]: (_, url) =>
        json({
          issuer: 'https://idp.example',
          authorization_endpoint: url,
          token_endpoint: url,
          jwks_uri: url,
        }),
    },
  },
  {
    name: 'issuer with a trailing slash',
    plan: 'idp',
    code: 'issuer-mismatch',
    member: 'issuer',
    change: (url) => ({ issuer: `${url}/` }),
  },
  {
    name: 'metadata of another credential issuer',
    plan: 'issuer',
    code: 'issuer-mismatch',
    member: 'credentialIssuer',
    system: { [metadata]: () => json({ credential_issuer: 'https://x.example' }) },
  },
  {
    name: 'metadata without endpoints',
    plan: 'idp',
    code: 'metadata-incomplete',
    member: 'issuer',
    system: {
      [discovery]: (_, url) => json({ issuer: url, authorization_endpoint: url, jwks_uri: url }),
    },
  },
  {
    name: 'metadata without a credential endpoint',
    plan: 'issuer',
    code: 'metadata-incomplete',
    member: 'credentialIssuer',
    system: { [metadata]: (_, url) => json({ credential_issuer: url }) },
  },
  {
    name: 'scope that the IDP does not have',
    plan: 'idp',
    code: 'scope-unsupported',
    member: 'scope',
    change: () => ({ scope: 'openid lear' }),
  },
  {
    name: 'wrong client secret',
    plan: 'idp',
    code: 'wrong-secret',
    member: 'client.clientSecret',
    change: () => ({ client: { clientSecret: 'wrong' } }),
  },
  {
    name: 'secret sent in the body to an IDP that expects it in the header',
    plan: 'idp',
    code: 'wrong-secret',
    member: 'client.clientSecret',
    change: () => ({ clientAuthentication: 'body' }),
  },
  {
    name: 'wrong secret of the second client',
    plan: 'idp',
    code: 'wrong-secret',
    member: 'secondClient.clientSecret',
    change: () => ({
      secondClient: {
        clientId: 'second',
        clientSecret: 'x',
        redirectUri: 'http://127.0.0.1:9/callback',
      },
    }),
  },
  {
    name: 'redirect URI that is not registered',
    plan: 'idp',
    code: 'redirect-uri-rejected',
    member: 'client.redirectUri',
    change: () => ({ client: { redirectUri: 'http://127.0.0.1:9/other' } }),
  },
  {
    name: 'the same client twice',
    plan: 'idp',
    code: 'same-client',
    member: 'secondClient.clientId',
    change: (url) => ({ secondClient: correct.idp(url).client }),
  },
  {
    name: 'internal endpoint that does not exist',
    plan: 'idp',
    code: 'not-found',
    member: 'internalEndpoints[0]',
    change: (url) => ({ internalEndpoints: [`${url}/internal`] }),
  },
  {
    name: 'TIR in place of the DID registry',
    plan: 'issuer',
    code: 'wrong-registry',
    member: 'didRegistryBaseUrl',
    system: { 'GET /api/v1/identifiers': () => json({ error: 'invalid_request' }) },
  },
  {
    name: 'DID registry in place of the TIR',
    plan: 'issuer',
    code: 'wrong-registry',
    member: 'tirBaseUrl',
    change: (url) => ({ tirBaseUrl: url }),
  },
  {
    name: 'root that the registry does not know',
    plan: 'issuer',
    code: 'unknown-did',
    member: 'rootDids[0]',
    change: () => ({ rootDids: ['did:org:uc-pre:z1Another'] }),
  },
  {
    name: 'root of another environment',
    plan: 'issuer',
    code: 'environment-mismatch',
    member: 'rootDids[0]',
    change: () => ({ rootDids: ['did:org:uc:z1Root'] }),
  },
  {
    name: 'registry of another environment',
    plan: 'did-registry',
    code: 'environment-mismatch',
    member: 'environment',
    change: () => ({ environment: 'pro' }),
  },
  {
    name: 'adapter that does not run',
    plan: 'issuer',
    code: 'nothing-listens',
    member: 'adapter.create-offer.url',
    change: async () => ({ adapter: { 'create-offer': { url: `${await refusedPort()}/offers` } } }),
  },
  {
    name: 'wallet that does not run',
    plan: 'wallet',
    code: 'nothing-listens',
    member: 'adapter.url',
    change: async () => ({ adapter: { url: await refusedPort() } }),
  },
  {
    name: 'kit on loopback with an address for phones',
    plan: 'wallet',
    code: 'kit-unreachable',
    member: 'kit.publicUrl',
    change: () => ({ kit: { publicUrl: 'http://192.168.1.20:4700' } }),
  },
  {
    name: 'service that is not a chain',
    plan: 'tir',
    code: 'wrong-chain',
    member: 'chain.rpcUrl',
    system: { 'POST /rpc': () => json({ ok: true }) },
  },
  {
    name: 'wrong API key of the TIR',
    plan: 'tir',
    code: 'wrong-api-key',
    member: 'apiKey',
    change: () => ({ apiKey: 'wrong' }),
  },
  {
    name: 'key that is not a private key',
    plan: 'did-registry',
    code: 'text',
    member: 'onboardingNode.privateKey',
    change: () => ({ onboardingNode: { privateKey: key.slice(2) } }),
  },
  {
    name: 'state both accepted and refused',
    plan: 'verifier',
    code: 'text',
    member: 'verdict.poll.refused',
    change: poll({ refused: ['FAILED', 'SUCCESS'] }),
  },
  {
    name: 'state both pending and accepted',
    plan: 'verifier',
    code: 'text',
    member: 'verdict.poll.pending',
    change: poll({ pending: ['SUCCESS'] }),
  },
  {
    name: 'status both accepted and refused',
    plan: 'verifier',
    code: 'text',
    member: 'verdict.response.refused',
    change: () => ({ verdict: { response: { accepted: [200], refused: [200, 400] } } }),
  },
  {
    name: 'wrong key for sessions',
    plan: 'verifier',
    code: 'unauthorized',
    member: 'request.call.url',
    change: () => ({ request: { call: { headers: { 'x-api-key': 'wrong' } } } }),
  },
  {
    name: 'link that is elsewhere in the answer',
    plan: 'verifier',
    code: 'link-missing',
    member: 'request.link',
    change: () => ({ request: { link: '$.link' } }),
  },
  {
    name: 'session that is elsewhere in the answer',
    plan: 'verifier',
    code: 'session-missing',
    member: 'request.session',
    change: () => ({ request: { session: '$.id' } }),
  },
  {
    name: 'poll of a session that is never read',
    plan: 'verifier',
    code: 'text',
    member: 'verdict.poll',
    change: () => ({ request: { session: undefined } }),
  },
  {
    name: 'poll of a server that does not run',
    plan: 'verifier',
    code: 'nothing-listens',
    member: 'verdict.poll.url',
    change: async () => ({ verdict: { poll: { url: `${await refusedPort()}/{session}` } } }),
  },
]

describe('the pre-flight of a target', () => {
  it.each(Object.entries(correct))(
    'finds nothing wrong with a correct %s',
    async (plan, target) => {
      expect(await problemsOf(plan as PlanName, target(await startSystem()))).toEqual([])
    },
  )

  it.each(mistakes)(
    'names $name and what to do',
    async ({ plan, code, member, change, system }) => {
      const url = await startSystem(system)
      const target = merge(correct[plan](url), (await change?.(url)) ?? {})
      const problems = await problemsOf(plan, target)
      const named = problems.find((each) => each.code === code && each.member === member)
      expect(named ?? problems).toMatchObject({ code, member })
    },
  )

  it('trusts the authority that the target names, and only then', async () => {
    const url = await startSystem()
    const { origin } = await startTlsProxy(Number(portOf(url)))
    const system = { 'GET /.well-known/openid-credential-issuer': () => json({}) }
    const proxied = await startTlsProxy(Number(portOf(await startSystem(system))))
    const problems = async (members: Target) =>
      (await problemsOf('issuer', merge(correct.issuer(url), members))).map((each) => each.code)
    expect(await problems({ credentialIssuer: origin })).toEqual(['self-signed'])
    const tls = { ca: certificateFile }
    expect(await problems({ credentialIssuer: proxied.origin, tls })).toEqual(['issuer-mismatch'])
    expect(await problems({ credentialIssuer: origin })).toEqual(['self-signed'])
  })

  it('covers at least 40 mistakes', () => {
    expect(new Set(mistakes.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40)
  })
})
