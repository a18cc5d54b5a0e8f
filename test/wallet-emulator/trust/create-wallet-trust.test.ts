import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { validateReceivedCredential } from '#wallet-emulator/actions/validate-received-credential.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createWalletTrust } from '#wallet-emulator/trust/create-wallet-trust.ts'

const registry = 'https://registry.example/did-registry'
const account = createAccount({ seed: 'create-wallet-trust' })
const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

/** The registries of a world behind their HTTP interfaces, as document 2 has them. */
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
  it('judges a credential by what the registries and the issuer answer', async () => {
    const { judge, asked, world } = open()
    expect(await judge()).toMatchObject({ verdict: 'accepted', failures: [], unchecked: [] })
    expect(asked).toContain(world.statusListUrl)
    expect(asked.filter((url) => url.startsWith(world.policy.tirBaseUrl))).toHaveLength(3)
  })

  it.each<[string, (url: string) => boolean, string]>([
    ['the DID registry', (url) => url.startsWith(registry), 'credential.issuer-document'],
    ['the TIR', (url) => url.includes('/attributes/'), 'trust.attribute'],
    ['the status list', (url) => url.includes('/status-lists/'), 'credential.status'],
  ])('takes no failing answer of %s for an answer', async (_, isAsked, rule) => {
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

  it('takes "not found" for an answer', async () => {
    const { judge, world } = open()
    world.attributes.clear()
    const { verdict, failures, unchecked } = await judge()
    expect(verdict).toBe('refused')
    expect(failures.map(({ rule }) => rule)).toEqual(['trust.attribute'])
    expect(unchecked).toEqual([])
  })

  it('asks nobody about DIDs of another environment', async () => {
    const { trust, asked } = open()
    for (const did of ['did:org:uc:z1Another', 'did:web:issuer.example', 'did:key:z6Mk']) {
      expect(await trust.resolveDidDocument?.(did)).toMatchObject({ ok: false, kind: 'not-found' })
    }
    expect(asked).toEqual([])
  })
})
