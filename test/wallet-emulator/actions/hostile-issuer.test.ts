import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type IssuerBehaviour,
  startIssuerCounterpart,
} from '#test/support/start-issuer-counterpart.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const rejections: unknown[] = []
const note = (reason: unknown) => rejections.push(reason)
beforeAll(() => process.on('unhandledRejection', note))
afterAll(() => process.off('unhandledRejection', note))

async function accept(behaviour: IssuerBehaviour) {
  const issuer = await startIssuerCounterpart(behaviour)
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  const outcome = acceptOffer(wallet, issuer.offerByValue())
  return { issuer, wallet, outcome }
}

const withPrototype = JSON.parse('{"__proto__": {"polluted": true, "length": 9}, "constructor": 1}')

describe('a malicious issuer', () => {
  it.each<[string, IssuerBehaviour, string]>([
    [
      'metadata of ten megabytes',
      { metadata: { display: 'x'.repeat(10_000_000) } },
      'response_too_large',
    ],
    [
      'a credential of ten megabytes',
      { credential: () => 'x'.repeat(10_000_000) },
      'response_too_large',
    ],
    [
      'a thousand credentials in an offer',
      { offer: { credentials: Array.from({ length: 1000 }, (_, index) => `c${index}`) } },
      'invalid_offer',
    ],
    [
      'one credential a hundred times',
      { offer: { credentials: Array(100).fill('OrgPortalLearCredential') } },
      'invalid_offer',
    ],
    [
      'an identifier with a fragment',
      { offer: { credential_issuer: 'http://127.0.0.1:9/#x' } },
      'invalid_offer',
    ],
    [
      'an identifier with a query',
      { offer: { credential_issuer: 'http://127.0.0.1:9/?path=' } },
      'invalid_offer',
    ],
    [
      'a token that contains a separate header',
      { token: { access_token: 'a\r\nx-a: b' } },
      'invalid_response',
    ],
    ['a token beyond ASCII', { token: { access_token: 'ключ' } }, 'invalid_response'],
    ['a token that is an object', { token: { access_token: {} } }, 'invalid_response'],
    ['a different format from the offer', { issued: { format: 'vc+sd-jwt' } }, 'invalid_response'],
    ['an invalid format', { issued: { format: 7 } }, 'invalid_response'],
    [
      'endpoints that are files',
      { metadata: { credential_endpoint: 'file:///etc/passwd' } },
      'invalid_metadata',
    ],
    ['endpoints that are scripts', { metadata: { token_endpoint: 'javascript:alert(1)' } }, 'none'],
  ])('%s', async (_, behaviour, code) => {
    const { wallet, outcome } = await accept(behaviour)
    if (code === 'none') expect(await outcome).toHaveLength(1)
    else await expect(outcome).rejects.toMatchObject({ code })
    expect(await wallet.store.listCredentials()).toHaveLength(code === 'none' ? 1 : 0)
  })

  it.each<[string, IssuerBehaviour]>([
    ['the offer', { offer: withPrototype }],
    ['the metadata', { metadata: withPrototype, entry: withPrototype }],
    ['the token', { token: withPrototype }],
    ['the answer', { issued: withPrototype }],
    ['the credential', { credentialPayload: (payload) => ({ ...payload, ...withPrototype }) }],
  ])('does not pollute prototypes with %s', async (_, behaviour) => {
    const { outcome } = await accept(behaviour)
    expect(await outcome).toHaveLength(1)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(([] as unknown as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('cannot lead the wallet to a private address', async () => {
    const inside = await startIssuerCounterpart()
    const insideUrl = inside.baseUrl.replace('http:', 'https:')
    const requested: string[] = []
    const fetch = async (url: string) => {
      requested.push(url)
      return Response.json({
        credential_issuer: 'https://issuer.example',
        credential_endpoint: `${insideUrl}/credential`,
        token_endpoint: `${insideUrl}/token`,
        credentials_supported: [
          { format: 'jwt_vc_json', id: 'A', types: ['VerifiableCredential', 'A'] },
        ],
      })
    }
    const lookUp = async (host: string) => [host === '127.0.0.1' ? host : '8.8.8.8']
    const wallet = createWallet({ http: { fetch, lookUp } })
    const offer = {
      credential_issuer: 'https://issuer.example',
      credentials: ['A'],
      grants: {
        'urn:ietf:params:oauth:grant-type:pre-authorized_code': { 'pre-authorized_code': 'x' },
      },
    }
    for (const [name, value] of [
      ['credential_offer', JSON.stringify(offer)],
      ['credential_offer_uri', `${inside.baseUrl}/offer`],
    ] as const) {
      const link = `openid-credential-offer://?${name}=${encodeURIComponent(value)}`
      await expect(acceptOffer(wallet, link)).rejects.toMatchObject({ code: 'address_refused' })
    }
    expect(requested).toEqual(['https://issuer.example/.well-known/openid-credential-issuer'])
    expect(inside.requests).toEqual([])
  })

  it('does not receive a code if it uses https and its endpoints do not', async () => {
    const behaviour: IssuerBehaviour = {}
    const issuer = await startIssuerCounterpart(behaviour)
    const secure = 'https://issuer.example'
    behaviour.offer = { credential_issuer: secure }
    behaviour.metadata = {
      credential_issuer: secure,
      credential_endpoint: 'http://issuer.example/credential',
    }
    const wallet = createWallet({
      http: {
        allowPrivateAddresses: true,
        fetch: (url, init) =>
          fetch(url.replace(/^https?:\/\/issuer.example/, issuer.baseUrl), init),
      },
    })
    await expect(acceptOffer(wallet, issuer.offerByValue())).rejects.toMatchObject({
      code: 'invalid_metadata',
    })
    expect(issuer.requests).toEqual(['GET /.well-known/openid-credential-issuer'])
  })

  it('causes no unhandled rejection', () => {
    expect(rejections).toEqual([])
  })
})
