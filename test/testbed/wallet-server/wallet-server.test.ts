import { createServer, get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { callJson } from '#test/support/http.ts'
import { listenForTest } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { startIssuerCounterpart } from '#test/support/start-issuer-counterpart.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { startVerifierCounterpart } from '#test/support/verifier-counterparts.ts'
import { connectWallet } from '#testbed/wallet-server/connect-wallet.ts'
import {
  type CreateWalletSessionOptions,
  createWalletServer,
  createWalletSession,
} from '#testbed/wallet-server/create-wallet-server.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createMemoryStore } from '#wallet-emulator/store/wallet-store.ts'

interface Options extends Partial<CreateWalletSessionOptions> {
  readonly token?: string
}

/** Members of the answers that the tests parse. */
interface Answer {
  readonly credentials: readonly [
    { readonly id: string; readonly format: string; readonly credential: string },
  ]
  readonly holder_did: string
  readonly faults: readonly string[]
}

async function startWalletServer({ token, kept, defaults = {} }: Options = {}) {
  const server = createServer()
  const baseUrl = await listenForTest(server)
  const network = { data: createTemporaryFolder(), allowPrivateAddresses: true }
  const app = createWalletServer({
    session: createWalletSession({ ...(kept && { kept }), defaults }),
    connect: (wallet, link) => connectWallet(wallet, { ...network, link }),
    baseUrl,
    runtime: createTestRuntime(),
    token,
  })
  server.on('request', app)
  const call = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await callJson(`${baseUrl}${path}`, { json: body, headers })
    return { status: answer.status, body: answer.body as Answer }
  }
  return { baseUrl, call }
}

describe('the wallet over HTTP', () => {
  it('accepts an offer with a PIN, lists the credential, presents it, and deletes it', async () => {
    const { call } = await startWalletServer()
    const issuer = await startIssuerCounterpart({ pin: '4935' })
    const accepted = await call('/accept-offer', { link: issuer.offerByReference(), pin: '4935' })
    expect(accepted.status).toBe(200)
    const [{ id, format, credential }] = accepted.body.credentials
    expect(format).toBe('jwt_vc_json')

    const listed = await call('/list')
    expect(listed.body).toMatchObject({
      holder_did: expect.stringMatching(/^did:key:zQ3s/),
      algorithm: 'ES256K',
      faults: [],
      credentials: [{ id, format, credential }],
    })

    const verifier = await startVerifierCounterpart({
      answer: '{"redirect_uri":"http://127.0.0.1:4006/done"}',
    })
    const presented = await call('/present', { link: verifier.linkByValue(), credential_id: id })
    expect(presented).toEqual({
      status: 200,
      body: {
        credential_id: id,
        client_id: verifier.baseUrl,
        redirect_uri: 'http://127.0.0.1:4006/done',
      },
    })
    expect(verifier.forms).toHaveLength(1)

    const reset = await call('/reset', { curve: 'Ed25519', did_method: 'jwk' })
    expect(reset.body).toMatchObject({ algorithm: 'EdDSA' })
    expect(reset.body.holder_did).toMatch(/^did:jwk:/)
    expect((await call('/list')).body.credentials).toEqual([])
  })

  it('reads the link from an image', async () => {
    const { call } = await startWalletServer()
    const issuer = await startIssuerCounterpart()
    const image = createQrPng(issuer.offerByReference()).toString('base64')
    expect((await call('/accept-offer', { image })).status).toBe(200)
  })

  it('has the deviations of a reset until the next one', async () => {
    const { call } = await startWalletServer()
    const verifier = await startVerifierCounterpart()
    const presentedTo = async () => {
      const issuer = await startIssuerCounterpart()
      await call('/accept-offer', { link: issuer.offerByValue() })
      await call('/present', { link: verifier.linkByValue() })
      const vpToken = verifier.forms.at(-1)?.get('vp_token') ?? ''
      return JSON.parse(Buffer.from(vpToken.split('.')[1] ?? '', 'base64url').toString()).aud
    }
    const reset = await call('/reset', { faults: ['presentation-wrong-aud'] })
    expect(reset.body.faults).toEqual(['presentation-wrong-aud'])
    expect(await presentedTo()).not.toBe(verifier.baseUrl)
    await call('/reset', {})
    expect(await presentedTo()).toBe(verifier.baseUrl)
    expect(await call('/reset', { faults: ['no-such-fault'] })).toMatchObject({
      status: 400,
      body: { error: 'unknown_fault' },
    })
    const contradictory = ['presentation-wrong-aud', 'presentation-missing-aud']
    expect(await call('/reset', { faults: contradictory })).toMatchObject({
      status: 400,
      body: { error: 'unfit_faults' },
    })
    expect(await presentedTo()).toBe(verifier.baseUrl)
  })

  it('returns 422 for a rejection, and says whether wallet or counterpart rejected', async () => {
    const { call } = await startWalletServer()
    const issuer = await startIssuerCounterpart({ pin: '4935' })
    expect(await call('/accept-offer', { link: issuer.offerByValue(), pin: '0000' })).toMatchObject(
      {
        status: 422,
        body: { error: 'token_refused', answer: { status: 400, error: 'invalid_grant' } },
      },
    )
    expect(await call('/accept-offer', { link: issuer.offerByValue() })).toMatchObject({
      status: 422,
      body: { error: 'pin_required' },
    })
    const verifier = await startVerifierCounterpart({ request: { nonce: undefined } })
    expect(await call('/present', { link: verifier.linkByValue() })).toMatchObject({
      status: 422,
      body: { error: 'invalid_request', failures: [{ rule: 'request.nonce' }] },
    })
    expect(verifier.forms).toEqual([])
  })

  it.each([429, 500, 503])('returns 502 if the counterpart answered %i', async (status) => {
    const { call } = await startWalletServer()
    const broken = createServer((_, response) => void response.writeHead(status).end('{}'))
    const address = `${await listenForTest(broken)}/offer`
    const link = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(address)}`
    expect(await call('/accept-offer', { link })).toMatchObject({
      status: 502,
      body: { answer: { status } },
    })
  })

  it('returns 502 if no server responds', async () => {
    const { call } = await startWalletServer()
    const link = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent('http://127.0.0.1:9/x')}`
    expect(await call('/accept-offer', { link })).toMatchObject({
      status: 502,
      body: { error: 'unreachable' },
    })
  })

  it('returns 502 if a deferred credential is not ready in time', async () => {
    const { call } = await startWalletServer()
    // Longer than a wallet waits, so that it does not even begin to.
    const issuer = await startIssuerCounterpart({
      deferredPolls: 9,
      deferral: { interval: 86_400 },
    })
    expect(await call('/accept-offer', { link: issuer.offerByValue() })).toMatchObject({
      status: 502,
      body: { error: 'deferred_time_out' },
    })
  })

  it('accepts any client with the token, at any of its host names', async () => {
    const { baseUrl } = await startWalletServer({ token: 'a-token' })
    const statusFor = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = get(`${baseUrl}/list`, {
          headers: { host: 'wallet.example:4100', ...headers },
        })
        asked.on('response', (response) => resolve(response.resume().statusCode))
        asked.on('error', reject)
      })
    expect(await statusFor({ authorization: 'Bearer a-token' })).toBe(200)
    expect(await statusFor({})).toBe(401)
  })

  it.each([
    ['neither link nor image', {}],
    ['both', { link: 'x', image: 'eA==' }],
    ['an image without a code', { image: 'eA==' }],
    ['another member', { link: 'x', other: 1 }],
    ['a PIN that is not a string', { link: 'x', pin: 1 }],
  ])('returns 400 for %s', async (_, body) => {
    const { call } = await startWalletServer()
    expect(await call('/accept-offer', body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })

  it('rejects clients without the token, and web pages', async () => {
    const { call, baseUrl } = await startWalletServer({ token: 'a-token' })
    for (const authorization of ['', 'Bearer another']) {
      expect((await call('/list', undefined, { authorization })).status).toBe(401)
      expect((await call('/reset', {}, { authorization })).status).toBe(401)
    }
    const authorization = 'Bearer a-token'
    expect((await call('/list', undefined, { authorization })).status).toBe(200)
    const open = await startWalletServer()
    expect((await open.call('/list')).status).toBe(200)
    expect((await open.call('/list', undefined, { origin: 'https://site.example' })).status).toBe(
      403,
    )
    expect((await open.call('/list', undefined, { origin: baseUrl })).status).toBe(403)
    expect(
      (await open.call('/reset', {}, { 'content-type': 'text/plain' })).status,
      'a form of a web page',
    ).toBe(415)
  })

  it('keeps the key of a stored wallet when it is reset', async () => {
    const account = createAccount({ curve: 'Ed25519' })
    const kept = { account, store: createMemoryStore(account) }
    const { call } = await startWalletServer({ kept })
    const issuer = await startIssuerCounterpart()
    await call('/accept-offer', { link: issuer.offerByValue() })
    expect((await call('/reset', {})).body.holder_did).toBe(account.did)
    expect((await call('/list')).body).toMatchObject({ holder_did: account.did, credentials: [] })
    expect(await call('/reset', { curve: 'secp256k1' })).toMatchObject({
      status: 400,
      body: { error: 'named_wallet' },
    })
  })
})
