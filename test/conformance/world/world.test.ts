import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import {
  createHolder,
  createTrustWorld,
  type TrustWorld,
} from '#conformance/world/create-trust-world.ts'
import { allDefects } from '#conformance/world/defects/create-credential-with-defect.ts'
import { issueCredential } from '#conformance/world/issue-credential.ts'
import { answerAsRegistries, openTrustWorld } from '#conformance/world/open-trust-world.ts'
import { registerIssuer } from '#conformance/world/register-issuer.ts'
import { reachableHost, startKitServer } from '#conformance/world/start-kit-server.ts'
import { verifyLearCredential } from '#core/lear-credential/verify-lear-credential.ts'

const { did: holderDid } = createHolder('of this test')

const createWorld = () =>
  createTrustWorld({ tirBaseUrl: 'https://kit.example/trusted-issuers-registry' })

async function brokenRules(world: TrustWorld, credential: string) {
  const { now, policy, sources } = world
  const result = await verifyLearCredential({ credential, holderDid, policy, now, ...sources })
  return [...new Set(result.failures.map(({ rule }) => rule))].sort()
}

describe('a credential of the trust world', () => {
  it('is valid without a defect, from the kit’s issuer and from a new one', async () => {
    const world = createWorld()
    const { now } = world
    expect(await brokenRules(world, issueCredential(world, { holderDid, now }))).toEqual([])
    const issuer = registerIssuer(world)
    expect(await brokenRules(world, issueCredential(world, { holderDid, now, issuer }))).toEqual([])
  })

  // @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1..8 1.limits.5 1.errors.13
  it.each(allDefects.map((defect) => [defect.name, defect] as const))(
    'with the defect %s breaks exactly the named rules, as on the chain',
    async (_name, defect) => {
      const world = createWorld()
      const credential = issueCredential(world, { holderDid, now: world.now, defect })
      const { rule, entails = [] } = defect
      const expected = rule === undefined ? [] : [rule, ...entails].sort()
      expect(await brokenRules(world, credential)).toEqual(expected)
    },
  )
})

async function start() {
  const exchanges = createExchangeLog()
  const server = await startKitServer({ exchanges, caller: 'wallet under test' })
  onTestFinished(() => server.close())
  server.mount('', 'registries', ({ path }) => ({ status: 200, body: `"${path}"` }))
  const port = Number(new URL(server.origin).port)
  /** Sends bytes unchanged, and ends. */
  const send = (bytes: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.end(bytes)
    return text(socket)
  }
  return { server, exchanges, send }
}

describe('the server of the kit', () => {
  it('survives aborted requests and requests without an address', async () => {
    const { server, send } = await start()
    await send('POST /x HTTP/1.1\r\nHost: kit\r\nContent-Length: 100\r\n\r\nhalf')
    await send('GET // HTTP/1.1\r\nHost: kit\r\nConnection: close\r\n\r\n')
    await send('GET http:// HTTP/1.1\r\nHost: kit\r\nConnection: close\r\n\r\n')
    expect(await (await fetch(`${server.origin}/still-there`)).json()).toBe('/still-there')
  })

  it('answers and records a request with a malformed password in its Referer', async () => {
    const { server, exchanges } = await start()
    const headers = { referer: 'http://a:%ff@h/' }
    expect((await fetch(`${server.origin}/token`, { headers })).status).toBe(200)
    expect(exchanges.take()).toHaveLength(1)
  })

  it('returns 500 and records the request if a part cannot process it', async () => {
    const { server, exchanges } = await start()
    server.mount('/issuer', 'issuer', ({ body }) => ({ status: 200, body: JSON.parse(body).a }))
    const answer = await fetch(`${server.origin}/issuer/token`, { method: 'POST', body: '{' })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ error: 'server_error' })
    expect(exchanges.take()).toMatchObject([{ status: 500, to: 'issuer', requestBody: '{' }])
  })

  it('serves wallets that are web pages, and records no preflight request', async () => {
    const { server, exchanges } = await start()
    const headers = {
      origin: 'https://wallet.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    }
    const preflight = await fetch(`${server.origin}/credential`, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization,content-type',
    })
    expect(exchanges.take()).toEqual([])
    const answer = await fetch(`${server.origin}/credential`, { method: 'POST', body: '{}' })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(exchanges.take()).toHaveLength(1)
  })

  it('excludes requests outside the protocols from the evidence', async () => {
    const { server, exchanges } = await start()
    const end = server.handle('/person/secret', (_, response) => void response.end('a page'))
    expect(await (await fetch(`${server.origin}/person/secret/`)).text()).toBe('a page')
    expect(exchanges.take()).toEqual([])
    end()
    await fetch(`${server.origin}/person/secret/`)
    expect(exchanges.take()).toHaveLength(1)
  })
})

describe('the registries of the kit', () => {
  it.each([
    ['/api/v1/identifiers/%ff', 400],
    ['/trusted-issuers-registry/v1/issuers/%E0/attributes/00', 400],
    ['/status/%ff', 404],
    ['//[/', 404],
  ])('answer %s with %d, and record it', async (path, status) => {
    const { server, exchanges, send } = await start()
    const { asked, misbehave } = openTrustWorld(server, { seed: 'test', now: 1_800_000_000 })
    misbehave('did-registry', 'server-error', 'did:key:zOther')
    const answer = await send(`GET ${path} HTTP/1.1\r\nHost: kit\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(`HTTP/1.1 ${status} `)
    expect(asked).toEqual([path])
    const hops = exchanges.take()
    expect(hops).toMatchObject([{ status }])
    if (status === 400) {
      expect(hops[0]?.responseBody).toEqual({
        error: 'validation_error',
        error_description: expect.any(String),
      })
    }
  })
})

describe('the DID registry of the kit', () => {
  it.each([
    [undefined, 200, 'application/did+ld+json'],
    ['', 200, 'application/did+ld+json'],
    ['*/*', 200, 'application/did+ld+json'],
    ['application/json, text/plain, */*', 200, 'application/did+ld+json'],
    ['application/*;q=0.8', 200, 'application/did+ld+json'],
    ['Application/DID+JSON; q=0.9', 200, 'application/did+json'],
    ['application/did+json, application/did+ld+json', 200, 'application/did+ld+json'],
    ['application/json', 406, 'application/json'],
    ['text/html, image/*', 406, 'application/json'],
  ])('answers Accept %s with %d and %s', (accept, status, contentType) => {
    const world = createTrustWorld()
    const url = new URL(`http://kit/api/v1/identifiers/${world.issuer.did}`)
    expect(answerAsRegistries(world, url, accept)).toMatchObject({ status, contentType })
  })
})

describe('the host at which other machines reach a server', () => {
  const addresses = [
    { address: '127.0.0.1', family: 'IPv4' as const, internal: true },
    { address: 'fe80::1', family: 'IPv6' as const, internal: false },
    { address: '192.168.1.20', family: 'IPv4' as const, internal: false },
  ]

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['192.168.1.7', '192.168.1.7'],
    ['::1', '[::1]'],
    ['0.0.0.0', '192.168.1.20'],
    ['::', '192.168.1.20'],
  ])('bound to %s is %s', (bind, host) => {
    expect(reachableHost(bind, addresses)).toBe(host)
  })

  it('is loopback if there is no network', () => {
    expect(reachableHost('0.0.0.0', addresses.slice(0, 2))).toBe('127.0.0.1')
  })
})
