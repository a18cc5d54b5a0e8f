import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { listenForTest } from '#test/support/servers.ts'
import { validateReceivedCredential } from '#wallet-emulator/actions/validate-received-credential.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createWalletHttp } from '#wallet-emulator/http/create-wallet-http.ts'
import { accountOfKey, createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createDidResolver, createWalletTrust } from '#wallet-emulator/trust/wallet-trust.ts'

const did = 'did:org:uc-pre:z1Somebody'

const document = (id: string) => ({
  '@context': ['https://www.w3.org/ns/did/v1'],
  id,
  controller: [],
  verificationMethod: [],
  assertionMethod: [],
})

async function resolverAnswering(status: number, body: unknown) {
  const requests: unknown[] = []
  const server = createServer((request, response) => {
    requests.push([request.method, request.url, request.headers.accept])
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const base = `${await listenForTest(server)}/`
  const http = createWalletHttp({ allowPrivateAddresses: true })
  return { requests, resolve: createDidResolver(http, () => base) }
}

describe('createDidResolver', () => {
  it('queries the registry as the profile describes, with a time if given', async () => {
    const { requests, resolve } = await resolverAnswering(200, document(did))
    expect(await resolve(did)).toEqual({ ok: true, value: document(did) })
    expect(await resolve(did, 1_800_000_000.7)).toEqual({ ok: true, value: document(did) })
    const path = '/api/v1/identifiers/did%3Aorg%3Auc-pre%3Az1Somebody'
    expect(requests).toEqual([
      ['GET', path, 'application/did+ld+json'],
      ['GET', `${path}?valid-at=1800000000`, 'application/did+ld+json'],
    ])
  })

  it.each([
    ['404', 404, {}, 'not-found'],
    ['500', 500, document(did), 'unavailable'],
    ['the document of another DID', 200, document('did:org:uc-pre:z1Other'), 'unavailable'],
    ['no document', 200, '<html>', 'unavailable'],
  ] as const)('distinguishes %s from a document', async (_, status, body, kind) => {
    const { resolve } = await resolverAnswering(status, body)
    expect(await resolve(did)).toMatchObject({ ok: false, kind })
  })

  it('distinguishes an unavailable registry from an unknown DID', async () => {
    const http = createWalletHttp({ allowPrivateAddresses: true })
    const gone = createDidResolver(http, () => 'http://127.0.0.1:9')
    expect(await gone(did)).toMatchObject({ ok: false, kind: 'unavailable' })
    const unknown = createDidResolver(http, () => undefined)
    expect(await unknown(did)).toMatchObject({ ok: false, kind: 'not-found' })
  })
})

const registry = 'https://registry.example/did-registry'
const account = createAccount({ seed: 'create-wallet-trust' })
const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

/** The registries of a world behind their HTTP interfaces, as in the profile. */
function open({ answer }: { answer?: (url: string) => Response | undefined } = {}) {
  const world = createTrustWorld()
  const { tirBaseUrl, rootDids, credentialIssuerUrls } = world.policy
  const asked: string[] = []
  const found = (url: string): unknown => {
    const { origin, pathname, searchParams } = new URL(url)
    if (url.startsWith(`${registry}/api/v1/identifiers/`)) {
      const at = Number(searchParams.get('valid-at') ?? world.now)
      return world.documentAt(decodeURIComponent(pathname.split('/').at(-1) ?? ''), at)
    }
    if (url === world.statusListUrl) return world.statusLists.get(url)
    return [...world.attributes.values()].find(
      ({ did, attribute }) =>
        createTermsOfUseUrl(tirBaseUrl, { did, attributeId: attribute.hash }) === origin + pathname,
    )
  }
  const fetch = async (url: string) => {
    asked.push(url)
    const other = answer?.(url)
    if (other) return other
    const value = found(url)
    if (value === undefined) return new Response(null, { status: 404 })
    return typeof value === 'string' ? new Response(value) : Response.json(value)
  }
  const lookUp = async () => ['8.8.8.8']
  const wallet = createWallet({ account, now: () => world.now, http: { fetch, lookUp } })
  const trust = createWalletTrust(wallet.http, {
    environment: 'pre',
    didRegistryBaseUrl: registry,
    tirBaseUrl: `${tirBaseUrl}/`,
    rootDids,
    credentialIssuerUrls,
  })
  const credential = world.issue(world.credentialPayload(account.did))
  const judge = () => validateReceivedCredential(wallet, credential, { types, ...trust })
  return { world, wallet, trust, asked, judge }
}

describe('createWalletTrust', () => {
  it('checks a credential against the answers of the registries and the issuer', async () => {
    const { judge, asked, world } = open()
    expect(await judge()).toMatchObject({ verdict: 'accepted', failures: [], unchecked: [] })
    expect(asked).toContain(world.statusListUrl)
    expect(asked.filter((url) => url.startsWith(world.policy.tirBaseUrl))).toHaveLength(3)
  })

  it.each<[string, (url: string) => boolean, string]>([
    ['the DID registry', (url) => url.startsWith(registry), 'credential.issuer-document'],
    ['the TIR', (url) => url.includes('/attributes/'), 'trust.attribute'],
    ['the status list', (url) => url.includes('/status-lists/'), 'credential.status'],
  ])('does not accept a failing answer of %s', async (_, isAsked, rule) => {
    for (const status of [200, 401, 429, 500, 503]) {
      const answer = (url: string) => (isAsked(url) ? new Response(null, { status }) : undefined)
      const { verdict, failures, unchecked } = await open({ answer }).judge()
      expect(verdict).toBe('refused')
      const isList = status === 200 && rule === 'credential.status'
      // An empty list is an answer, if a wrong one.
      const named = isList ? failures : unchecked
      expect(named.map((failure) => failure.rule)).toContain(rule)
    }
  })

  it('accepts "not found" as an answer', async () => {
    const { judge, world } = open()
    world.attributes.clear()
    const { verdict, failures, unchecked } = await judge()
    expect(verdict).toBe('refused')
    expect(failures.map(({ rule }) => rule)).toEqual(['trust.attribute'])
    expect(unchecked).toEqual([])
  })

  it('sends no request about DIDs of another environment', async () => {
    const { trust, asked } = open()
    for (const did of ['did:org:uc:z1Another', 'did:web:issuer.example', 'did:key:z6Mk']) {
      expect(await trust.resolveDidDocument?.(did)).toMatchObject({ ok: false, kind: 'not-found' })
    }
    expect(asked).toEqual([])
  })
})

describe('createAccount', () => {
  it('returns the same account for the same seed, and different accounts otherwise', () => {
    const dids = [
      createAccount({ seed: 'a' }),
      createAccount({ seed: 'b' }),
      createAccount({ seed: 'a', didMethod: 'jwk' }),
      createAccount({ seed: 'a', curve: 'Ed25519' }),
      createAccount(),
      createAccount(),
    ].map(({ did }) => did)
    expect(new Set(dids).size).toBe(dids.length)
    expect(createAccount({ seed: 'a' })).toEqual(createAccount({ seed: 'a' }))
  })

  it('names its key in the form of its DID method', () => {
    const key = createAccount()
    expect(key.kid).toBe(`${key.did}#${key.did.slice('did:key:'.length)}`)
    const jwk = createAccount({ didMethod: 'jwk' })
    expect(jwk.kid).toBe(`${jwk.did}#0`)
  })

  it('rejects a key of another curve', () => {
    const privateKey = { kty: 'EC', crv: 'P-384', x: 'a', y: 'b', d: 'c' }
    expect(() => accountOfKey({ didMethod: 'jwk', privateKey })).toThrow(TypeError)
  })

  it.each([
    [{ curve: 'P-384' }, 'curve must be'],
    [{ didMethod: 'web' }, 'didMethod must be'],
  ])('cannot be created with %j', (options, said) => {
    expect(() => createAccount(options as object)).toThrow(said)
  })
})
