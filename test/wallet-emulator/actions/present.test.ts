import { describe, expect, it } from 'vitest'
import { verifyWithForeignLibrary } from '#test/support/foreign-verifiers.ts'
import { startIssuerCounterpart } from '#test/support/start-issuer-counterpart.ts'
import {
  startVerifierCounterpart,
  type VerifierBehaviour,
} from '#test/support/verifier-counterparts.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { type PresentOptions, present } from '#wallet-emulator/actions/present.ts'
import type {
  MatchingCredentials,
  SelectionRules,
} from '#wallet-emulator/actions/select-credentials.ts'
import { createWallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
import type { WalletEvent } from '#wallet-emulator/events.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

const http = { allowPrivateAddresses: true }

async function createHolder(options: WalletOptions = {}) {
  const issuer = await startIssuerCounterpart()
  const wallet = createWallet({ http, ...options })
  const [accepted] = await acceptOffer(wallet, issuer.offerByValue())
  return { wallet, credential: accepted?.credential.credential ?? '' }
}

async function presentTo(
  behaviour: VerifierBehaviour,
  options: PresentOptions = {},
  walletOptions: WalletOptions = {},
) {
  const { wallet, credential } = await createHolder(walletOptions)
  const verifier = await startVerifierCounterpart(behaviour)
  const resolveDidDocument = createDidResolver(wallet.http, () => verifier.baseUrl)
  const outcome = present(wallet, verifier.link(), { resolveDidDocument, ...options })
  return { wallet, credential, verifier, outcome }
}

describe('present', () => {
  // @row 1.versioning.1
  it.each([
    ['secp256k1', 'key', 'ES256K'],
    ['secp256k1', 'jwk', 'ES256K'],
    ['Ed25519', 'key', 'EdDSA'],
    ['Ed25519', 'jwk', 'EdDSA'],
  ] as const)('answers a signed request with %s and did:%s', async (curve, didMethod, alg) => {
    const account = createAccount({ curve, didMethod })
    const { credential, verifier, outcome } = await presentTo({}, {}, { account })
    const presented = await outcome
    expect(presented.request.signed).toBe(true)

    const [form] = verifier.forms
    expect(form && [...form.keys()].sort()).toEqual([
      'presentation_submission',
      'state',
      'vp_token',
    ])
    expect(form?.get('state')).toBe(verifier.state)
    const vpToken = await verifyWithForeignLibrary(form?.get('vp_token') ?? '', verifier.did)
    expect(vpToken?.header).toEqual({ alg, typ: 'JWT', kid: account.kid })
    const { iat = 0, exp = 0, ...payload } = vpToken?.payload ?? {}
    expect(payload).toEqual({
      iss: account.did,
      aud: verifier.did,
      nonce: verifier.nonce,
      vp: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiablePresentation'],
        verifiableCredential: [credential],
      },
    })
    expect(exp - iat).toBeGreaterThan(0)
    expect(exp - iat).toBeLessThanOrEqual(600)
    // profile/verifier, Presentation submission.
    expect(JSON.parse(form?.get('presentation_submission') ?? '')).toEqual({
      id: expect.any(String),
      definition_id: 'dcql_query',
      descriptor_map: [
        {
          id: 'lear',
          format: 'jwt_vp',
          path: '$',
          path_nested: { id: 'lear', format: 'jwt_vc', path: '$.vp.verifiableCredential[0]' },
        },
      ],
    })
  })

  it('answers an unsigned request by value, without a state if the request has none', async () => {
    const { wallet } = await createHolder()
    const verifier = await startVerifierCounterpart({ request: { state: undefined } })
    const presented = await present(wallet, verifier.linkByValue())
    expect(presented.request.signed).toBe(false)
    expect([...(verifier.forms[0]?.keys() ?? [])]).not.toContain('state')
    expect(verifier.requests).toEqual(['POST /response'])
  })

  it('extracts the request from text', async () => {
    const { wallet } = await createHolder()
    const verifier = await startVerifierCounterpart()
    await present(wallet, `Log in: <${verifier.linkByValue()}>\n`)
    expect(verifier.forms).toHaveLength(1)
  })

  it('rejects unsigned requests if the policy requires signed requests', async () => {
    const { wallet } = await createHolder()
    const verifier = await startVerifierCounterpart()
    const refused = present(wallet, verifier.linkByValue(), { requireSigned: true })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' })
    expect(verifier.forms).toEqual([])
  })

  // OpenID4VP 1.0, 5.9.3: the prefixes of a client_id.
  it.each([
    ['redirect_uri:https://verifier.example/response', 'request.response-uri'],
    ['decentralized_identifier:did:org:uc-pre:z1Verifier', 'request.signature'],
    ['x509_san_dns:verifier.example', 'request.signature'],
  ])('does not answer an unsigned request of %s', async (clientId, rule) => {
    const { wallet } = await createHolder()
    const verifier = await startVerifierCounterpart()
    await expect(present(wallet, verifier.linkByValue(clientId))).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { failures: [{ rule }] },
    })
    expect(verifier.forms).toEqual([])
  })

  it('answers an unsigned request whose client_id is the address of the response', async () => {
    const { wallet } = await createHolder()
    const verifier = await startVerifierCounterpart()
    await present(wallet, verifier.linkByValue(`redirect_uri:${verifier.baseUrl}/response`))
    expect(verifier.forms).toHaveLength(1)
  })

  it('returns the redirect_uri without requesting it', async () => {
    const redirectUri = 'http://127.0.0.1:4006/done?response_code=abc'
    const answer = JSON.stringify({ redirect_uri: redirectUri })
    const { verifier, outcome } = await presentTo({ answer })
    expect((await outcome).redirectUri).toBe(redirectUri)
    expect(verifier.requests.at(-1)).toBe('POST /response')
  })

  it.each([
    '',
    '{}',
    'OK',
    '[]',
    '{"redirect_uri":7}',
    '{"redirect_uri":"javascript:alert(1)"}',
    // What a terminal would obey, and `URL` takes.
    '{"redirect_uri":"https://a.example/\\u001b[2J"}',
    '{"redirect_uri":"https://a.example/\\nhttps://b.example"}',
  ])('treats 200 with %j as an answer without a redirect', async (answer) => {
    const { outcome } = await presentTo({ answer })
    expect(await outcome).not.toHaveProperty('redirectUri')
  })

  it('reports a failing verifier once', async () => {
    const { verifier, outcome } = await presentTo({ status: 500, answer: '{"error":"oops"}' })
    await expect(outcome).rejects.toMatchObject({
      code: 'presentation_refused',
      extra: { answer: { status: 500, error: 'oops' } },
    })
    expect(verifier.forms).toHaveLength(1)
  })

  it('asks the holder, and sends nothing if the answer is no', async () => {
    const asked: unknown[] = []
    const { verifier, outcome } = await presentTo(
      {},
      {
        consent: ({ request, signed }, credential) => {
          asked.push([request.clientId, signed, credential.format])
          return false
        },
      },
    )
    await expect(outcome).rejects.toMatchObject({ code: 'declined' })
    expect(asked).toEqual([[verifier.did, true, 'jwt_vc_json']])
    expect(verifier.forms).toEqual([])
  })

  it.each<[string, VerifierBehaviour, string]>([
    ['a signature of another key', { foreignKey: true }, 'request.signature'],
    ['another typ', { header: { typ: 'JWT' } }, 'request.typ'],
    ['a kid of another DID', { header: { kid: 'did:org:uc-pre:z1Other#k' } }, 'request.client-id'],
    ['no nonce', { request: { nonce: undefined } }, 'request.nonce'],
    [
      'a presentation_definition',
      { request: { presentation_definition: {} } },
      'request.presentation-definition',
    ],
    ['no dcql_query', { request: { dcql_query: undefined } }, 'request.dcql-query'],
  ])('does not answer a request with %s', async (_, behaviour, rule) => {
    const { verifier, outcome } = await presentTo(behaviour)
    await expect(outcome).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { failures: expect.arrayContaining([expect.objectContaining({ rule })]) },
    })
    expect(verifier.forms).toEqual([])
  })

  it('rejects a signed request if it has no registry to verify it with', async () => {
    const { wallet } = await createHolder()
    const verifier = await startVerifierCounterpart()
    await expect(present(wallet, verifier.link())).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(verifier.forms).toEqual([])
  })

  it('answers an unsigned request only at the host of client_id', async () => {
    const { wallet } = await createHolder()
    const verifier = await startVerifierCounterpart()
    const refused = present(wallet, verifier.linkByValue('https://bank.example'))
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' })
    expect(verifier.forms).toEqual([])
  })

  it('rejects input that is not a request', async () => {
    const { wallet } = await createHolder()
    for (const link of ['', 'hello', 'openid-credential-offer://?credential_offer=%7B%7D']) {
      await expect(present(wallet, link)).rejects.toMatchObject({ code: 'invalid_link' })
    }
  })
})

describe('what a wallet reports while it presents', () => {
  const presentWith = async (consent: boolean) => {
    const events: WalletEvent[] = []
    const { wallet } = await createHolder({ onEvent: (event) => events.push(event) })
    const [stored] = await wallet.store.listCredentials()
    events.splice(0)
    const answer = '{"redirect_uri": "https://a.example"}'
    const verifier = await startVerifierCounterpart({ answer })
    const outcome = present(wallet, verifier.linkByValue(), { consent: () => consent })
    const [{ status }] = await Promise.allSettled([outcome])
    return { status, events, verifier, id: stored?.id, clientId: verifier.baseUrl }
  }

  it('is each step', async () => {
    const { events, verifier, id, clientId } = await presentWith(true)
    expect(events.filter(({ type }) => type !== 'http')).toEqual([
      { type: 'request-resolved', clientId, signed: false },
      { type: 'credentials-matched', ids: [id] },
      { type: 'credential-selected', id },
      { type: 'consent-asked', clientId },
      { type: 'presentation-created', jwt: verifier.forms[0]?.get('vp_token') },
      { type: 'presentation-accepted', redirectUri: 'https://a.example' },
    ])
    expect(events.filter(({ type }) => type === 'http')).toEqual([
      {
        type: 'http',
        method: 'POST',
        url: expect.stringContaining('/response'),
        status: 200,
        milliseconds: expect.any(Number),
      },
    ])
  })

  it('is where it stopped', async () => {
    const { status, events } = await presentWith(false)
    expect(status).toBe('rejected')
    expect(events.at(-1)).toMatchObject({ type: 'stopped', action: 'present', code: 'declined' })
  })
})

describe('which credential is presented', () => {
  const query = (members: object) => ({
    request: { dcql_query: { credentials: [{ id: 'q', format: 'jwt_vc_json', ...members }] } },
  })

  it.each([
    ['of another type', query({ meta: { vct_values: ['DrivingLicence'] } })],
    ['with a missing claim', query({ claims: [{ path: ['$.vc.credentialSubject.x'] }] })],
  ])('none, if the request requires a credential %s', async (_, behaviour) => {
    const { verifier, outcome } = await presentTo(behaviour)
    await expect(outcome).rejects.toMatchObject({ code: 'no_matching_credential' })
    expect(verifier.forms).toEqual([])
  })

  it('none for several credentials, because the profile defines no submission for them', async () => {
    const element = { format: 'jwt_vc_json' }
    const dcql_query = {
      credentials: [
        { id: 'a', ...element },
        { id: 'b', ...element },
      ],
    }
    const { verifier, outcome } = await presentTo({ request: { dcql_query } })
    await expect(outcome).rejects.toMatchObject({ code: 'unsupported_request' })
    expect(verifier.forms).toEqual([])
  })

  it('only the requested credential', async () => {
    const { wallet, credential } = await createHolder()
    const other = await startIssuerCounterpart({
      entry: { types: ['VerifiableCredential', 'Other'] },
      credentialPayload: (payload) => ({
        ...payload,
        vc: { ...(payload.vc as object), type: ['VerifiableCredential', 'Other'] },
      }),
    })
    await acceptOffer(wallet, other.offerByValue())
    const verifier = await startVerifierCounterpart()
    const { vpToken } = await present(wallet, verifier.linkByValue())
    const [, payload = ''] = vpToken.split('.')
    const { vp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(vp.verifiableCredential).toEqual([credential])
  })

  it('never a credential that does not match, regardless of the selection', async () => {
    const { wallet } = await createHolder()
    const verifier = await startVerifierCounterpart()
    const select = ({ candidates: [first] }: MatchingCredentials) => ({
      ...first,
      id: 'f'.repeat(16),
    })
    await expect(present(wallet, verifier.linkByValue(), { select })).rejects.toMatchObject({
      code: 'no_matching_credential',
    })
    expect(verifier.forms).toEqual([])
  })

  it('the latest of several, an expired one last, unless the holder chooses', async () => {
    let now = Math.floor(Date.now() / 1000)
    const wallet = createWallet({ http, now: () => now })
    const receive = async (lifetime: number, { validFor }: { validFor?: number } = {}) => {
      const issuer = await startIssuerCounterpart({
        credentialPayload: ({ iat, vc, ...payload }) => {
          const validUntil = validFor && new Date((Number(iat) + validFor) * 1000).toISOString()
          return { ...payload, iat, exp: Number(iat) + lifetime, vc: { ...Object(vc), validUntil } }
        },
      })
      const [accepted] = await acceptOffer(wallet, issuer.offerByValue())
      now += 1
      return accepted?.credential.id
    }
    const first = await receive(3000)
    const second = await receive(2000)
    const third = await receive(4000, { validFor: 100 })
    const verifier = await startVerifierCounterpart()
    const candidates: string[] = []
    const choose = (options: PresentOptions = {}) =>
      present(wallet, verifier.linkByValue(), {
        select: (matching) => {
          candidates.push(...matching.candidates.map(({ id }) => id))
          return matching.candidates[0]
        },
        ...options,
      })

    now += 500
    expect((await choose()).credential.id).toBe(second)
    expect(candidates).toEqual([second, first, third])
    const chosen = await choose({ select: ({ candidates: list }) => list[2] ?? list[0] })
    expect(chosen.credential.id).toBe(third)

    const by = async (select: SelectionRules) => (await choose({ select })).credential.id
    expect(await by({ prefer: 'latest' })).toBe(second)
    expect(await by({ prefer: 'longest-valid' })).toBe(first)
    expect(await by({ id: first ?? '' })).toBe(first)
    expect(await by({ issuerDid: 'did:org:uc-pre:z1Counterpart' })).toBe(second)
    expect(await by({ organizationIdentifier: 'VATES-1' })).toBe(second)
    const held = await wallet.store.listCredentials()
    const [, payload = ''] = held.find(({ id }) => id === third)?.credential.split('.') ?? []
    const { jti } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(await by({ id: jti })).toBe(third)
    const posted = verifier.forms.length
    for (const rules of [
      { id: 'urn:uuid:another' },
      { issuerDid: 'did:org:uc-pre:z1Another' },
      { organizationIdentifier: 'VATES-2' },
      { id: first ?? '', issuerDid: 'did:org:uc-pre:z1Another' },
    ]) {
      await expect(by(rules)).rejects.toMatchObject({ code: 'no_matching_credential' })
    }
    expect(verifier.forms).toHaveLength(posted)
  })
})
