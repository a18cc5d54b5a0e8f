import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { verifyWithForeignLibrary } from '#test/support/foreign-verifiers.ts'
import {
  type IssuerBehaviour,
  startIssuerCounterpart,
} from '#test/support/start-issuer-counterpart.ts'
import { type AcceptOfferOptions, acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import type { DeferralOptions } from '#wallet-emulator/actions/request-credential.ts'
import type { PinAttempt } from '#wallet-emulator/actions/request-token.ts'
import { createWallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
import type { WalletEvent } from '#wallet-emulator/events.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

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
  ] as const)('accepts a credential with %s and did:%s', async (curve, didMethod, alg, did) => {
    const account = createAccount({ curve, didMethod })
    const { issuer, wallet, outcome } = await accept({}, {}, { account })
    const [accepted] = await outcome
    expect(accepted?.verdict).toMatchObject({ verdict: 'accepted-with-warnings', failures: [] })
    // A wallet without a configured TIR does not check accreditations, and says so.
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

  it('also accepts an offer by value', async () => {
    const issuer = await startIssuerCounterpart()
    const wallet = createWallet({ http: local })
    expect(await acceptOffer(wallet, issuer.offerByValue())).toHaveLength(1)
    expect(issuer.requests).toEqual([
      'GET /.well-known/openid-credential-issuer',
      'POST /token',
      'POST /credential',
    ])
  })

  it('extracts the offer from an email', async () => {
    const issuer = await startIssuerCounterpart()
    const mail = `Dear Ana,\n\nyour credential: ${issuer.offerByReference()}.\n\nBest`
    expect(await acceptOffer(createWallet({ http: local }), mail)).toHaveLength(1)
  })

  it('sends its User-Agent and the configured headers', async () => {
    const http = { ...local, headers: { 'x-scenario-id': 'issuance/one@1' } }
    const { issuer, outcome } = await accept({}, {}, { http })
    await outcome
    expect(issuer.lastHeaders).toMatchObject({
      'user-agent': 'lear-testbed/wallet',
      'x-scenario-id': 'issuance/one@1',
    })
  })

  it('asks for the PIN only if the offer requires one', async () => {
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

  it('stops before the token request if the PIN is missing', async () => {
    const { issuer, outcome } = await accept({ pin: '493536' })
    await expect(outcome).rejects.toMatchObject({ code: 'pin_required' })
    expect(issuer.requests).not.toContain('POST /token')
  })

  it('reports the answer of the issuer to a wrong PIN', async () => {
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

  it('creates a new proof with the fresh nonce after invalid_nonce', async () => {
    const { issuer, events, outcome } = await accept({ renewNonce: true })
    expect(await outcome).toHaveLength(1)
    expect(new Set(issuer.proofs).size).toBe(2)
    expect(events.map(({ type }) => type)).toContain('nonce-renewed')
  })

  it('asks for the PIN again after a wrong one, with the issuer’s error', async () => {
    const asked: PinAttempt[] = []
    const getPin = (_: unknown, attempt: PinAttempt) => {
      asked.push(attempt)
      return ['000000', '111111', ' 493536 '][attempt.attempt - 1]
    }
    const { events, outcome } = await accept({ pin: '493536' }, { getPin })
    expect(await outcome).toHaveLength(1)
    expect(asked[0]).toEqual({ attempt: 1 })
    expect(asked.slice(1)).toMatchObject([
      { attempt: 2, answer: { status: 400, error: 'invalid_grant' } },
      { attempt: 3, answer: { errorDescription: 'The code or the PIN is wrong.' } },
    ])
    const pinEvents = events.filter(({ type }) => type.startsWith('pin-'))
    expect(pinEvents).toMatchObject([
      { type: 'pin-requested', attempt: 1, txCode: { length: 6 } },
      { type: 'pin-refused', attempt: 1, answer: { error: 'invalid_grant' } },
      { type: 'pin-requested', attempt: 2 },
      { type: 'pin-refused', attempt: 2 },
      { type: 'pin-requested', attempt: 3 },
    ])
  })

  it.each<[string, number, AcceptOfferOptions]>([
    ['after three attempts', 3, { getPin: (_, { attempt }) => `00000${attempt}` }],
    [
      'at the configured limit',
      5,
      { getPin: (_, { attempt }) => `00000${attempt}`, maximumPinAttempts: 5 },
    ],
    ['if the holder gives up', 2, { getPin: (_, { attempt }) => ['1', '2'][attempt - 1] }],
    ['if the holder repeats the same PIN', 1, { getPin: () => '000000' }],
  ])('stops after wrong PINs %s', async (_, tries, options) => {
    const { issuer, outcome } = await accept({ pin: '493536' }, options)
    await expect(outcome).rejects.toMatchObject({
      code: 'token_refused',
      extra: { answer: { error: 'invalid_grant' } },
    })
    expect(issuer.requests.filter((request) => request === 'POST /token')).toHaveLength(tries)
  })

  it('does not ask for another PIN if the issuer rejects the code', async () => {
    const grants = {
      'urn:ietf:params:oauth:grant-type:pre-authorized_code': { 'pre-authorized_code': 'used' },
    }
    const { issuer, outcome } = await accept({ offer: { grants } })
    await expect(outcome).rejects.toMatchObject({ code: 'token_refused' })
    expect(issuer.requests.filter((request) => request === 'POST /token')).toHaveLength(1)
  })

  describe('a deferred credential', () => {
    async function poll(behaviour: IssuerBehaviour, options: DeferralOptions = {}) {
      const waits: number[] = []
      const wait = async (milliseconds: number) => void waits.push(milliseconds)
      const walletOptions = { wait, http: local, now: () => now }
      const accepted = await accept(
        { deferredPolls: 0, ...behaviour },
        { deferral: options },
        walletOptions,
      )
      return { waits, ...accepted }
    }
    const now = Math.floor(Date.now() / 1000)
    const pollsOf = (requests: readonly string[]) =>
      requests.filter((request) => request === 'POST /deferred_credential')

    it('is polled for with the latest acceptance token, at growing intervals', async () => {
      const { waits, issuer, events, outcome } = await poll(
        { deferredPolls: 4 },
        { intervalMilliseconds: 1000, growth: 2, longestIntervalMilliseconds: 5000 },
      )
      expect(await outcome).toHaveLength(1)
      expect(waits).toEqual([1000, 2000, 4000, 5000, 5000])
      expect(pollsOf(issuer.requests)).toHaveLength(5)
      expect(events.filter(({ type }) => type === 'deferred-pending')).toEqual([
        { type: 'deferred-pending', attempt: 1, nextMilliseconds: 2000 },
        { type: 'deferred-pending', attempt: 2, nextMilliseconds: 4000 },
        { type: 'deferred-pending', attempt: 3, nextMilliseconds: 5000 },
        { type: 'deferred-pending', attempt: 4, nextMilliseconds: 5000 },
      ])
    })

    it('is polled at the issuer’s interval, then at growing intervals', async () => {
      const { waits, events, outcome } = await poll(
        {
          deferral: { interval: 10 },
          pollAnswers: [
            { status: 202 },
            { status: 202, body: { acceptance_token: 'acceptance-0', interval: 60 } },
            { status: 202, body: { acceptance_token: 'acceptance-0', interval: 'soon' } },
          ],
        },
        { intervalMilliseconds: 1 },
      )
      expect(await outcome).toHaveLength(1)
      expect(waits).toEqual([10_000, 15_000, 60_000, 60_000])
      expect(events).toContainEqual({ type: 'credential-deferred', interval: 10 })
    })

    it('is still awaited while the issuer is busy', async () => {
      const { waits, events, outcome } = await poll({
        pollAnswers: [
          { status: 503, headers: { 'retry-after': '20' } },
          { status: 429, headers: { 'retry-after': new Date((now + 50) * 1000).toUTCString() } },
          { status: 429, headers: { 'retry-after': 'later' } },
          { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } },
        ],
      })
      expect(await outcome).toHaveLength(1)
      expect(waits).toEqual([2000, 20_000, 50_000, 6750, 10_125])
      expect(events.filter(({ type }) => type === 'deferred-busy')).toMatchObject([
        { attempt: 1, status: 503, nextMilliseconds: 20_000 },
        { attempt: 2, status: 429, nextMilliseconds: 50_000 },
        { attempt: 3, status: 429 },
        { attempt: 4, status: 503 },
      ])
    })

    it.each<[string, IssuerBehaviour, DeferralOptions, number]>([
      ['is never ready', { deferredPolls: 100 }, { maximumPolls: 5 }, 5],
      ['takes too long', { deferredPolls: 100 }, { intervalMilliseconds: 400_000, growth: 1 }, 2],
      ['has too long an interval', { deferral: { interval: 1e9 } }, {}, 0],
      [
        'comes from an issuer that is busy for too long',
        { pollAnswers: [{ status: 429, headers: { 'retry-after': '999999999' } }] },
        {},
        1,
      ],
    ])('is abandoned if it %s', async (_, behaviour, options, polls) => {
      const { wallet, issuer, outcome } = await poll(behaviour, options)
      await expect(outcome).rejects.toMatchObject({ code: 'deferred_time_out' })
      expect(pollsOf(issuer.requests)).toHaveLength(polls)
      expect(await wallet.store.listCredentials()).toEqual([])
    })

    it('is abandoned if the issuer rejects the token', async () => {
      const { issuer, outcome } = await poll({
        pollAnswers: [{ status: 400, body: { error: 'invalid_transaction_id' } }],
      })
      await expect(outcome).rejects.toMatchObject({
        code: 'credential_refused',
        extra: { answer: { error: 'invalid_transaction_id' } },
      })
      expect(pollsOf(issuer.requests)).toHaveLength(1)
    })

    it('is abandoned after the wallet receives the stop signal', async () => {
      const controller = new AbortController()
      const reason = new Error('the holder went away')
      const { issuer, outcome } = await accept(
        { deferredPolls: 1 },
        { deferral: { intervalMilliseconds: 3_600_000, longestWaitMilliseconds: 1e9 } },
        {
          http: { ...local, signal: controller.signal },
          onEvent: ({ type }) =>
            type === 'credential-deferred' && setImmediate(() => controller.abort(reason)),
        },
      )
      await expect(outcome).rejects.toBe(reason)
      expect(pollsOf(issuer.requests)).toHaveLength(0)
    })
  })

  it('asks the holder with all known details before any request', async () => {
    const { issuer, events, outcome } = await accept(
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
    expect(events.slice(-2)).toEqual([
      { type: 'offer-consent-asked', credentialIssuer: issuer.baseUrl },
      {
        type: 'stopped',
        action: 'accept-offer',
        code: 'declined',
        message: 'The holder declined the offer.',
      },
    ])
  })

  it('reports each step', async () => {
    const { events, outcome } = await accept({})
    await outcome
    expect(events.map(({ type }) => type).filter((type) => type !== 'http')).toEqual([
      'offer-resolved',
      'metadata-fetched',
      'offer-consent-asked',
      'token-received',
      'proof-created',
      'credential-received',
      'credential-validated',
      'credential-stored',
    ])
  })

  it.each([
    [
      'metadata without the credential endpoint',
      { metadata: { credential_endpoint: 7 } },
      'invalid_metadata',
    ],
    ['an id that is not in the metadata', { entry: { id: 'Another' } }, 'invalid_offer'],
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
  ] as const)('rejects %s, before the token request', async (_, behaviour, code) => {
    const { issuer, outcome } = await accept(behaviour as IssuerBehaviour)
    await expect(outcome).rejects.toMatchObject({ code })
    expect(issuer.requests).not.toContain('POST /token')
  })

  it('ignores members that it does not know', async () => {
    const behaviour = { offer: { extra: 1 }, metadata: { display: [{}] }, entry: { scope: 'a' } }
    const { outcome } = await accept(behaviour)
    expect(await outcome).toHaveLength(1)
  })

  it('rejects input that is not an offer', async () => {
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

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [{ offer_uri: 'openid-credential-offer://' }, 'of the type object'],
  ])('says that a link must be a string: %j', async (link, found) => {
    const wallet = createWallet({ http: local })
    const error = { code: 'invalid_link', message: `The link must be a string. It is ${found}.` }
    await expect(acceptOffer(wallet, link as unknown as string)).rejects.toMatchObject(error)
    await expect(present(wallet, link as unknown as string)).rejects.toMatchObject(error)
  })
})

describe('a received credential is checked before it is stored', () => {
  const cases: readonly [string, IssuerBehaviour, readonly string[]][] = [
    [
      'issued to another holder',
      { credentialPayload: (p) => ({ ...p, sub: 'did:key:zOther' }) },
      ['credential.holder'],
    ],
    [
      'not valid yet',
      { credentialPayload: (p) => ({ ...p, nbf: Number(p.iat) + 600 }) },
      ['credential.not-before'],
    ],
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
    ['that is not a JWT', { credential: () => 'no-jwt' }, ['credential.format']],
  ]
  const rulesOf = (failures: readonly { readonly rule: string }[] = []) => [
    ...new Set(failures.map(({ rule }) => rule)),
  ]

  it.each(cases)('a credential %s is rejected', async (_, behaviour, rules) => {
    const { wallet, events, outcome } = await accept(behaviour)
    await expect(outcome).rejects.toMatchObject({ code: 'credential_rejected' })
    expect(await wallet.store.listCredentials()).toEqual([])
    const validated = events.find((event) => event.type === 'credential-validated')
    expect(validated?.verdict.verdict).toBe('refused')
    expect(rulesOf(validated?.verdict.failures)).toEqual(rules)
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

  it('with the configured registries and the status lists of the offering issuer', async () => {
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

  it.each([7, null, {}, ['a']])('rejects an answer whose credential is %j', async (value) => {
    const { outcome } = await accept({ credential: () => value })
    await expect(outcome).rejects.toMatchObject({ code: 'invalid_response' })
  })
})
