import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#test/support/create-trust-world.ts'
import {
  type IssuerBehaviour,
  startIssuerCounterpart,
} from '#test/support/start-issuer-counterpart.ts'
import { verifyWithForeignLibrary } from '#test/support/verify-with-foreign-library.ts'
import { type AcceptOfferOptions, acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createDidResolver } from '#wallet-emulator/actions/create-did-resolver.ts'
import { createWallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
import type { WalletEvent } from '#wallet-emulator/events.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'

const local = { allowPrivateAddresses: true }

async function accept(
  behaviour: IssuerBehaviour,
  options: AcceptOfferOptions = {},
  walletOptions: WalletOptions = {},
) {
  const issuer = await startIssuerCounterpart(behaviour)
  const events: WalletEvent[] = []
  const wallet = createWallet({
    http: local,
    onEvent: (event) => events.push(event),
    ...walletOptions,
  })
  const resolveDidDocument = createDidResolver(wallet.http, () => issuer.baseUrl)
  const outcome = acceptOffer(wallet, issuer.offerByReference(), { resolveDidDocument, ...options })
  return { issuer, events, wallet, outcome }
}

describe('acceptOffer', () => {
  // @row 1.resources-and-their-fields/supported-curves.3 1.versioning.1
  it.each([
    ['secp256k1', 'key', 'ES256K', /^did:key:zQ3s/],
    ['secp256k1', 'jwk', 'ES256K', /^did:jwk:/],
    ['Ed25519', 'key', 'EdDSA', /^did:key:z6Mk/],
    ['Ed25519', 'jwk', 'EdDSA', /^did:jwk:/],
  ] as const)('takes a credential with %s and did:%s', async (curve, didMethod, alg, did) => {
    const account = createAccount({ curve, didMethod })
    const { issuer, wallet, outcome } = await accept({}, {}, { account })
    const [accepted] = await outcome
    expect(accepted?.verdict).toMatchObject({ verdict: 'accepted-with-warnings', failures: [] })
    // A wallet that was told of no TIR does not judge accreditations, and says so.
    expect(accepted?.verdict.unchecked).toMatchObject([
      { rule: 'credential.terms-of-use', unchecked: 'not-asked' },
    ])
    expect(await wallet.store.listCredentials()).toEqual([accepted?.credential])
    expect(accepted?.credential.credentialIssuer).toBe(issuer.baseUrl)
    expect(account.did).toMatch(did)

    const proof = await verifyWithForeignLibrary(issuer.proofs[0] ?? '', issuer.baseUrl)
    expect(proof?.header).toEqual({ alg, typ: 'openid4vci-proof+jwt', kid: account.kid })
    expect(proof?.payload).toEqual({
      iss: account.did,
      aud: issuer.baseUrl,
      iat: expect.any(Number),
      nonce: expect.any(String),
    })
  })

  it('takes an offer by value too', async () => {
    const issuer = await startIssuerCounterpart()
    const wallet = createWallet({ http: local })
    expect(await acceptOffer(wallet, issuer.offerByValue())).toHaveLength(1)
    expect(issuer.requests).toEqual([
      'GET /.well-known/openid-credential-issuer',
      'POST /token',
      'POST /credential',
    ])
  })

  it('takes the offer out of a mail', async () => {
    const issuer = await startIssuerCounterpart()
    const mail = `Dear Ana,\n\nyour credential: ${issuer.offerByReference()}.\n\nBest`
    expect(await acceptOffer(createWallet({ http: local }), mail)).toHaveLength(1)
  })

  it('introduces itself, and sends the headers it was given', async () => {
    const http = { ...local, headers: { 'x-scenario-id': 'issuance/one@1' } }
    const { issuer, outcome } = await accept({}, {}, { http })
    await outcome
    expect(issuer.lastHeaders).toMatchObject({
      'user-agent': 'lear-testbed/wallet',
      'x-scenario-id': 'issuance/one@1',
    })
  })

  it('asks for the PIN where the offer wants one, and only there', async () => {
    const asked: unknown[] = []
    const getPin = (txCode: unknown) => {
      asked.push(txCode)
      return '493536'
    }
    const { outcome } = await accept({ pin: '493536' }, { getPin })
    await outcome
    expect(asked).toEqual([{ length: 6, inputMode: 'numeric', description: 'PIN' }])
    const without = await accept({}, { getPin })
    await without.outcome
    expect(asked).toHaveLength(1)
  })

  it('stops before the token request where the PIN is missing', async () => {
    const { issuer, outcome } = await accept({ pin: '493536' })
    await expect(outcome).rejects.toMatchObject({ code: 'pin_required' })
    expect(issuer.requests).not.toContain('POST /token')
  })

  it('tells what the issuer said to a wrong PIN', async () => {
    const { issuer, outcome } = await accept({ pin: '493536' }, { getPin: () => '000000' })
    await expect(outcome).rejects.toMatchObject({
      code: 'token_refused',
      extra: {
        answer: {
          url: `${issuer.baseUrl}/token`,
          status: 400,
          error: 'invalid_grant',
          errorDescription: 'The code or the PIN is wrong.',
        },
      },
    })
  })

  it('makes a new proof with the fresh nonce after invalid_nonce', async () => {
    const { issuer, outcome } = await accept({ renewNonce: true })
    expect(await outcome).toHaveLength(1)
    expect(new Set(issuer.proofs).size).toBe(2)
  })

  it('polls for a deferred credential, with the latest acceptance token', async () => {
    const waits: number[] = []
    const deferral = {
      intervalMilliseconds: 700,
      wait: async (milliseconds: number) => waits.push(milliseconds),
    }
    const { issuer, events, outcome } = await accept({ deferredPolls: 3 }, { deferral })
    expect(await outcome).toHaveLength(1)
    expect(waits).toEqual([700, 700, 700, 700])
    const polls = issuer.requests.filter((request) => request === 'POST /deferred_credential')
    expect(polls).toHaveLength(4)
    expect(events.filter(({ type }) => type === 'deferred-pending')).toHaveLength(3)
  })

  it('gives up on a credential that is never ready', async () => {
    const deferral = { maximumPolls: 5, wait: async () => {} }
    const { wallet, outcome } = await accept({ deferredPolls: 100 }, { deferral })
    await expect(outcome).rejects.toMatchObject({ code: 'deferred_time_out' })
    expect(await wallet.store.listCredentials()).toEqual([])
  })

  it('asks the holder with all that is known, before anything is requested', async () => {
    const { issuer, outcome } = await accept(
      {},
      {
        consent: ({ offered, metadata }) => {
          expect(offered.map(({ id }) => id)).toEqual(['OrgPortalLearCredential'])
          expect(metadata.credentialIssuer).toMatch(/^http:/)
          return false
        },
      },
    )
    await expect(outcome).rejects.toMatchObject({ code: 'declined' })
    expect(issuer.requests).not.toContain('POST /token')
  })

  it('tells each step', async () => {
    const { events, outcome } = await accept({})
    await outcome
    expect(events.map(({ type }) => type).filter((type) => type !== 'http')).toEqual([
      'offer-resolved',
      'metadata-fetched',
      'token-received',
      'proof-created',
      'credential-received',
      'credential-validated',
      'credential-stored',
    ])
  })

  it.each([
    [
      'metadata of another issuer',
      { metadata: { credential_issuer: 'http://other.example' } },
      'invalid_metadata',
    ],
    [
      'metadata without the credential endpoint',
      { metadata: { credential_endpoint: 7 } },
      'invalid_metadata',
    ],
    ['an id that the metadata does not know', { entry: { id: 'Another' } }, 'invalid_offer'],
    ['another format', { entry: { format: 'vc+sd-jwt' } }, 'unsupported_offer'],
    [
      'none of the suites of the account',
      { entry: { cryptographic_suites_supported: ['ES256'] } },
      'unsupported_offer',
    ],
    [
      'none of the DID methods',
      { entry: { cryptographic_binding_methods_supported: ['did:web'] } },
      'unsupported_offer',
    ],
    ['no pre-authorized code', { offer: { grants: {} } }, 'unsupported_offer'],
    ['no credentials', { offer: { credentials: [] } }, 'invalid_offer'],
  ] as const)('refuses %s, before the token request', async (_, behaviour, code) => {
    const { issuer, outcome } = await accept(behaviour as IssuerBehaviour)
    await expect(outcome).rejects.toMatchObject({ code })
    expect(issuer.requests).not.toContain('POST /token')
  })

  it('ignores members that it does not know', async () => {
    const behaviour = { offer: { extra: 1 }, metadata: { display: [{}] }, entry: { scope: 'a' } }
    const { outcome } = await accept(behaviour)
    expect(await outcome).toHaveLength(1)
  })

  it('refuses what is no offer at all', async () => {
    const wallet = createWallet({ http: local })
    for (const link of [
      '',
      'hello',
      'openid4vp://?request_uri=http%3A%2F%2Fa',
      'openid-credential-offer://',
    ]) {
      await expect(acceptOffer(wallet, link)).rejects.toMatchObject({ code: 'invalid_link' })
    }
  })
})

describe('what comes is judged before it is kept', () => {
  const cases: readonly [string, IssuerBehaviour, readonly string[]][] = [
    [
      'issued to somebody else',
      { credentialPayload: (p) => ({ ...p, sub: 'did:key:zOther' }) },
      ['credential.holder'],
    ],
    [
      'expired',
      { credentialPayload: (p) => ({ ...p, exp: Number(p.iat) - 1 }) },
      ['credential.expiry'],
    ],
    [
      'not valid yet',
      { credentialPayload: (p) => ({ ...p, nbf: Number(p.iat) + 600 }) },
      ['credential.not-before'],
    ],
    [
      'of another type',
      {
        credentialPayload: (p) => ({
          ...p,
          vc: { ...(p.vc as object), type: ['VerifiableCredential'] },
        }),
      },
      ['credential.type-chain', 'credential.type'],
    ],
    ['signed by somebody else', { foreignKey: true }, ['credential.signature']],
    [
      'signed with a key that is not for assertions',
      {
        document: {
          assertionMethod: [],
          authentication: [`did:org:uc-pre:z1Counterpart#${'k'.repeat(43)}`],
        },
      },
      ['credential.issuer-key'],
    ],
    [
      "in another issuer's name",
      { credentialPayload: (p) => ({ ...p, iss: 'did:org:uc-pre:z1Another' }) },
      ['credential.issuer'],
    ],
    ['that is no JWT', { credential: () => 'no-jwt' }, ['credential.format']],
  ]
  const rulesOf = (failures: readonly { readonly rule: string }[] = []) => [
    ...new Set(failures.map(({ rule }) => rule)),
  ]

  it.each(cases)('a credential %s is refused', async (_, behaviour, rules) => {
    const { wallet, events, outcome } = await accept(behaviour)
    await expect(outcome).rejects.toMatchObject({ code: 'credential_rejected' })
    expect(await wallet.store.listCredentials()).toEqual([])
    const judged = events.find((event) => event.type === 'credential-validated')
    expect(judged?.verdict.verdict).toBe('refused')
    expect(rulesOf(judged?.verdict.failures)).toEqual(rules)
  })

  it.each(cases)('unless the policy only warns: %s', async (_, behaviour, rules) => {
    const broken = Object.fromEntries(rules.map((rule) => [rule, 'warn' as const]))
    const { wallet, outcome } = await accept(behaviour, { policy: { broken } })
    const [accepted] = await outcome
    expect(accepted?.verdict.verdict).toBe('accepted-with-warnings')
    expect(rulesOf(accepted?.verdict.failures)).toEqual(rules)
    expect(await wallet.store.listCredentials()).toHaveLength(1)
  })

  it('names the rules in the error', async () => {
    const { outcome } = await accept({ foreignKey: true })
    await expect(outcome).rejects.toMatchObject({
      extra: {
        failures: expect.arrayContaining([
          expect.objectContaining({ rule: 'credential.signature' }),
        ]),
      },
    })
  })

  it('in the world that the wallet was told of, by the lists of the issuer that offered it', async () => {
    const now = Math.floor(Date.now() / 1000)
    const world = createTrustWorld({ now })
    const credential = (holderDid: string) => world.issue(world.credentialPayload(holderDid))
    const { environment, tirBaseUrl, rootDids } = world.policy
    const known = { environment, tirBaseUrl, rootDids }
    const options = { ...world.sources, environment: known }
    const elsewhere = await accept({ credential }, options)
    await expect(elsewhere.outcome).rejects.toMatchObject({
      extra: { failures: [expect.objectContaining({ rule: 'credential.status' })] },
    })
    const { credentialIssuerUrls } = world.policy
    const { outcome } = await accept(
      { credential },
      { ...options, environment: { ...known, credentialIssuerUrls } },
    )
    const [accepted] = await outcome
    expect(accepted?.verdict).toMatchObject({ verdict: 'accepted', failures: [], unchecked: [] })
  })

  it.each([7, null, {}, ['a']])('and an answer whose credential is %j is none', async (value) => {
    const { outcome } = await accept({ credential: () => value })
    await expect(outcome).rejects.toMatchObject({ code: 'invalid_response' })
  })
})
