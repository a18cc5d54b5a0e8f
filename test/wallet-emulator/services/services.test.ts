import { describe, expect, it } from 'vitest'
import { privateJwkFromHex, publicJwkOf } from '#core/crypto/jwk.ts'
import { callJson, send } from '#test/support/http.ts'
import {
  connectorApiKey,
  issuerDid,
  issuerPrivateKey,
  issuerVMethodId,
  makeOffer,
  payloadOf,
  power,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { startVerifier } from '#test/support/verifier.ts'
import { type AcceptOfferOptions, acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

const system = await startIssuanceSystem()

const kid = `${issuerDid}#${issuerVMethodId}`

/** The DID document that the registry would have for the issuer of this test. */
const resolveDidDocument: NonNullable<AcceptOfferOptions['resolveDidDocument']> = async (did) => ({
  ok: true,
  value: {
    '@context': [],
    id: did,
    controller: [],
    verificationMethod: [
      {
        id: kid,
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk: { ...publicJwkOf(privateJwkFromHex(issuerPrivateKey)) },
      },
    ],
    assertionMethod: [kid],
  },
})

function createTestWallet(options: WalletOptions = {}) {
  return createWallet({
    http: { allowPrivateAddresses: true },
    now: system.runtime.clock.seconds,
    ...options,
  })
}

/** A representative asks for a credential; what a phone sees. */
async function requestQr(): Promise<string> {
  const response = await send(`${system.issuer.baseUrl}/issuance/representative`, {
    headers: { authorization: `Bearer ${await system.tokenIssuer.mint()}` },
    json: { power: [power] },
  })
  const read = readQrPng(new Uint8Array(await response.arrayBuffer()))
  if (!read.ok) throw new Error(read.reason)
  return read.text
}

interface IssuedRecord {
  readonly subject_id: string
  readonly status: string
}

/** The same credential by an offer with just these properties, made at the connector itself. */
async function requestOffer(members: object) {
  await requestQr()
  const organization_identifiers = ['VATES-A12345678']
  const bearer = { authorization: `Bearer ${await system.tokenIssuer.mint()}` }
  const listing = `${system.issuer.baseUrl}/issuance/credential`
  const { body: records } = await callJson(listing, {
    json: { organization_identifiers },
    headers: bearer,
  })
  const [record] = records as unknown as IssuedRecord[]
  expect(record?.status).toBe('pending')

  const headers = { 'x-api-key': connectorApiKey }
  const { baseUrl } = system.connector
  const vc_names = ['OrgPortalLearCredential']
  const body = { vc_names, subject_id: record?.subject_id, ...members }
  const { body: made } = await callJson(`${baseUrl}/preauth-code`, { json: body, headers })
  const query = new URLSearchParams({
    preauth_code: String(made.preauth_code),
    response_mode: 'deep-link',
    delivery: 'reference',
  })
  const response = await fetch(`${baseUrl}/credential-offer?${query}`, { headers })
  return { link: await response.text(), pin: String(made.pin) }
}

describe('the wallet at an offer of two credentials', () => {
  const types = [{ vcType: 'OrgPortalLearCredential' }, { vcType: 'OrgSecondCredential' }]
  const vcTypes = types.map(({ vcType }) => vcType)
  const typeOf = (credential: string) => payloadOf(credential).vc.type.at(-1)

  it('accepts both, each with the c_nonce of the previous answer, or the selected one', async () => {
    const two = await startIssuanceSystem({
      connector: { credentialTypes: types },
      issuer: { credentialTypes: types },
    })
    const events: string[] = []
    const now = two.runtime.clock.seconds
    const wallet = createTestWallet({ now, onEvent: ({ type }) => events.push(type) })
    const both = await acceptOffer(wallet, (await makeOffer(two, { vcTypes })).offerUri, {
      resolveDidDocument,
    })
    expect(both.map(({ credential }) => typeOf(credential.credential))).toEqual(vcTypes)
    expect(both.flatMap(({ verdict }) => verdict.failures)).toEqual([])
    expect(events).not.toContain('nonce-renewed')

    const select = () => ['OrgSecondCredential']
    const link = (await makeOffer(two, { vcTypes })).offerUri
    const one = await acceptOffer(createTestWallet({ now }), link, { resolveDidDocument, select })
    expect(one.map(({ credential }) => typeOf(credential.credential))).toEqual(select())
    const none = acceptOffer(wallet, (await makeOffer(two, { vcTypes })).offerUri, {
      select: () => [],
    })
    await expect(none).rejects.toMatchObject({ code: 'declined' })
  })
})

describe('the wallet at our issuer and connector', () => {
  it.each([
    ['secp256k1', 'key'],
    ['secp256k1', 'jwk'],
    ['Ed25519', 'key'],
    ['Ed25519', 'jwk'],
  ] as const)(
    'takes a credential from the QR code with %s and did:%s',
    async (curve, didMethod) => {
      const wallet = createTestWallet({ account: createAccount({ curve, didMethod }) })
      const accepted = await acceptOffer(wallet, await requestQr(), { resolveDidDocument })
      // Without the addresses of the TIR and the issuer, the wallet cannot check these locations.
      const unchecked = ['credential.terms-of-use', 'credential.status']
      expect(accepted.map(({ verdict }) => verdict)).toMatchObject([
        {
          verdict: 'accepted-with-warnings',
          failures: [],
          unchecked: unchecked.map((rule) => ({ rule, unchecked: 'not-asked' })),
        },
      ])
      expect(await wallet.store.listCredentials()).toHaveLength(1)
    },
  )

  it('enters the PIN that an offer by reference requires', async () => {
    const { link, pin } = await requestOffer({ tx_code: { length: 5, input_mode: 'text' } })
    const wallet = createTestWallet()
    await expect(acceptOffer(wallet, link, { getPin: () => '?????' })).rejects.toMatchObject({
      code: 'token_refused',
      extra: { answer: { status: 400, error: 'invalid_grant' } },
    })
    const asked: unknown[] = []
    const getPin = (txCode: object) => {
      asked.push(txCode)
      return pin
    }
    expect(await acceptOffer(wallet, link, { getPin })).toHaveLength(1)
    expect(asked).toMatchObject([{ length: 5, inputMode: 'text' }])
  })

  it('polls until a deferred credential is ready', async () => {
    const { link } = await requestOffer({ deferred_seconds: 60 })
    const types: string[] = []
    const wallet = createTestWallet({ onEvent: ({ type }) => types.push(type) })
    const deferral = {
      intervalMilliseconds: 25_000,
      wait: async (milliseconds: number) => system.runtime.advance(milliseconds / 1000),
    }
    expect(await acceptOffer(wallet, link, { deferral, resolveDidDocument })).toHaveLength(1)
    // After 25 seconds not yet, after 37.5 more it is there.
    expect(types.filter((type) => type === 'deferred-pending')).toHaveLength(1)
  })

  it('receives an error for an expired offer', async () => {
    const link = await requestQr()
    system.runtime.advance(301)
    const outcome = acceptOffer(createTestWallet(), link)
    await expect(outcome).rejects.toMatchObject({
      code: 'token_refused',
      extra: { answer: { error: 'invalid_grant', errorDescription: expect.any(String) } },
    })
  })

  it('is rejected when it redeems an offer again', async () => {
    const link = await requestQr()
    await acceptOffer(createTestWallet(), link)
    await expect(acceptOffer(createTestWallet(), link)).rejects.toMatchObject({
      code: 'token_refused',
      extra: { answer: { error: 'invalid_grant' } },
    })
  })
})

/** A verifier, a wallet with a credential that it accepts, and a session of the verifier's. */
async function startLogin(options: WalletOptions = {}, session: object = {}) {
  const verifier = await startVerifier()
  const { world, servers, runtime } = verifier
  const wallet = createWallet({
    http: { allowPrivateAddresses: true },
    now: runtime.clock.seconds,
    ...options,
  })
  await wallet.store.addCredential({
    id: '0123456789abcdef',
    format: 'jwt_vc_json',
    credential: world.issue(world.credentialPayload(wallet.account.did)),
    credentialIssuer: 'https://issuer.example',
    receivedAt: world.now,
  })
  const resolveDidDocument = createDidResolver(wallet.http, () => servers.baseUrl)
  const started = await verifier.createSession(session)
  return {
    verifier,
    answer: () => present(wallet, started.authorization_request, { resolveDidDocument }),
    verdict: async () => {
      const { status, explanation } = await verifier.inspect(started)
      const failures = (explanation?.failures ?? []) as { rule: string }[]
      return { status, rules: [...new Set(failures.map(({ rule }) => rule))] }
    },
  }
}

describe('the wallet at our verifier', () => {
  it.each([
    ['secp256k1', 'key'],
    ['secp256k1', 'jwk'],
    ['Ed25519', 'key'],
    ['Ed25519', 'jwk'],
  ] as const)('logs in with %s and did:%s', async (curve, didMethod) => {
    const { answer, verdict } = await startLogin({ account: createAccount({ curve, didMethod }) })
    const presented = await answer()
    expect(presented.request.signed).toBe(true)
    expect(await verdict()).toEqual({ status: 'SUCCESS', rules: [] })
  })

  it('is redirected with a response code', async () => {
    const { answer } = await startLogin({}, { redirect_uri: 'http://127.0.0.1:4006/done' })
    expect((await answer()).redirectUri).toMatch(
      /^http:\/\/127\.0\.0\.1:4006\/done\?response_code=[\w-]{22,}$/,
    )
  })

  it('answers a request by value too', async () => {
    const { answer, verdict, verifier } = await startLogin({}, { delivery: 'value' })
    const presented = await answer()
    expect(presented.request.signed).toBe(false)
    expect(presented.request.request.clientId).toBe(verifier.config().verifierDid)
    expect((await verdict()).status).toBe('SUCCESS')
  })

  it('has no credential of another type', async () => {
    const { answer, verdict } = await startLogin({}, { credential_type: 'DrivingLicence' })
    await expect(answer()).rejects.toMatchObject({ code: 'no_matching_credential' })
    expect((await verdict()).status).toBe('PENDING')
  })

  it('receives an error for an expired request', async () => {
    const { answer, verifier } = await startLogin()
    verifier.runtime.advance(301)
    await expect(answer()).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { answer: { status: 410, errorDescription: expect.any(String) } },
    })
  })
})
