import { once } from 'node:events'
import { request as send } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeOffer, payloadOf, startIssuanceSystem } from '#test/support/issuance.ts'
import { startAnsweringServer } from '#test/support/servers.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const metadataPath = '/.well-known/openid-credential-issuer'

/** A raw request, which `fetch` would normalize or refuse. */
async function sendRaw(
  baseUrl: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {},
) {
  const { hostname, port } = new URL(baseUrl)
  const { method = 'GET', headers = {}, body } = options
  const request = send({ hostname, port, path, method, headers })
  request.end(body)
  const [response] = await once(request, 'response')
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

describe('one address for issuer and wallets', async () => {
  const system = await startIssuanceSystem({ oneAddress: true })

  // @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.1
  it('serves the metadata and every endpoint at the issuer', async () => {
    const { baseUrl } = system.issuer
    const response = await fetch(`${baseUrl}${metadataPath}`)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const metadata = await response.json()
    expect(metadata).toMatchObject({
      credential_issuer: baseUrl,
      token_endpoint: `${baseUrl}/token`,
      credential_endpoint: `${baseUrl}/credential`,
      deferred_credential_endpoint: `${baseUrl}/deferred_credential`,
    })
    // Existing data and links contain the connector's own address.
    expect(await (await fetch(`${system.connector.baseUrl}${metadataPath}`)).json()).toEqual(
      metadata,
    )
  })

  it.each([
    ['an offer by value', { delivery: 'value' }],
    ['an offer by reference, deferred', { delivery: 'reference', deferredSeconds: 0 }],
  ] as const)('issues to a wallet that uses only this address, by %s', async (_title, request) => {
    const { baseUrl } = system.issuer
    const { offerUri } = await makeOffer(system, request)
    const asked: string[] = []
    const wallet = createWallet({
      http: {
        allowPrivateAddresses: true,
        fetch: (url, init) => {
          asked.push(String(url))
          return fetch(url, init)
        },
      },
    })
    const [accepted] = await acceptOffer(wallet, offerUri)
    expect(asked.length).toBeGreaterThan(2)
    expect(asked.filter((url) => !url.startsWith(`${baseUrl}/`))).toEqual([])

    const { vc } = payloadOf(accepted?.credential.credential)
    const { credentialStatus, credentialSchema } = vc
    expect(credentialStatus.statusListCredential).toBe(`${baseUrl}/credentials/status/1`)
    expect((await fetch(credentialStatus.statusListCredential)).status).toBe(200)
    const schemas = [credentialSchema].flat()
    expect(schemas[0].id).toBe(`${baseUrl}/schemas/OrgPortalLearCredential`)
    expect(await (await fetch(schemas[0].id)).json()).toMatchObject({ $id: schemas[0].id })
  })

  it('forwards the rejections of the Connector', async () => {
    const { baseUrl } = system.issuer
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=none',
    }
    const token = await sendRaw(baseUrl, '/token', form)
    const direct = await sendRaw(system.connector.baseUrl, '/token', form)
    expect([token.status, token.text]).toEqual([direct.status, direct.text])
    const credential = await sendRaw(baseUrl, '/credential', { method: 'POST' })
    expect(credential.status).toBe(401)
    expect(credential.headers['www-authenticate']).toMatch(/^Bearer/)
    expect((await sendRaw(baseUrl, '/token')).status).toBe(405)
    expect((await sendRaw(baseUrl, metadataPath, { method: 'HEAD' })).status).toBe(200)
    expect((await sendRaw(baseUrl, '/offers/%zz')).status).toBe(400)
    const encoded = { ...form, headers: { ...form.headers, 'content-encoding': 'unknown' } }
    for (const endpoint of [baseUrl, system.connector.baseUrl]) {
      const answer = await sendRaw(endpoint, '/token', encoded)
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, 'invalid_request'])
    }
  })

  it('hides the API that the Connector has for issuers', async () => {
    for (const path of [
      '/preauth-code',
      '/credential-offer?preauth_code=x&response_mode=qr',
      '/credentials/issued/x',
      '/offers/..%2fcredential-offer',
      '/offers/x/../../preauth-code',
      '/offers/..\\preauth-code',
      '//127.0.0.1:1/token',
    ]) {
      const { status, text: body } = await sendRaw(system.issuer.baseUrl, path, {
        headers: { 'x-api-key': 'connector-api-key-0123456789' },
      })
      expect([path, status, body]).toEqual([path, 404, expect.any(String)])
    }
  })

  it('returns 503 in the form of OpenID4VCI without the Connector', async () => {
    system.runtime.activeFaults.add('connector-down')
    onTestFinished(() => void system.runtime.activeFaults.delete('connector-down'))
    const answer = await fetch(`${system.issuer.baseUrl}${metadataPath}`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await answer.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.stringMatching(/\w/),
    })
  })
})

describe('what is forwarded', () => {
  const start = async (walletEndpointsUrl: string) => {
    const system = await startIssuanceSystem({ issuer: { walletEndpointsUrl } })
    return system.issuer.baseUrl
  }

  it('is only the method, the body and the listed headers', async () => {
    const connector = await startAnsweringServer(() => ({
      status: 202,
      headers: { 'x-of-connector': 'yes', 'cache-control': 'no-store', connection: 'close' },
      body: { later: true },
    }))
    const baseUrl = await start(connector.url)
    const answer = await sendRaw(baseUrl, '/deferred_credential?a=1', {
      method: 'POST',
      headers: {
        authorization: 'Bearer x',
        'accept-language': 'es',
        'content-type': 'application/json',
        'user-agent': 'some-wallet/1',
        'x-request-id': 'of-the-wallet',
        connection: 'keep-alive, x-hop',
        'x-hop': '1',
        cookie: 'a=b',
        'x-api-key': 'secret',
        'x-forwarded-for': '10.0.0.1',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=10.0.0.1',
        dpop: 'x',
      },
      body: '{"acceptance_token":"é"}',
    })
    expect([answer.status, answer.text]).toEqual([202, '{"later":true}'])
    expect(answer.headers).toMatchObject({
      'x-of-connector': 'yes',
      'cache-control': 'no-store',
      'x-request-id': 'of-the-wallet',
    })
    expect(answer.headers.connection).not.toBe('close')
    const [asked] = connector.requests
    expect(asked).toMatchObject({
      method: 'POST',
      path: '/deferred_credential?a=1',
      body: '{"acceptance_token":"é"}',
    })
    const {
      host,
      connection: _connection,
      'content-length': _length,
      ...headers
    } = asked?.headers ?? {}
    expect(host).toBe(new URL(connector.url).host)
    expect(headers).toEqual({
      authorization: 'Bearer x',
      'accept-language': 'es',
      'content-type': 'application/json',
      'user-agent': 'some-wallet/1',
      'x-request-id': 'of-the-wallet',
      via: '1.1 lear-testbed-issuer',
    })
  })

  it('is limited in size', async () => {
    const connector = await startAnsweringServer(() => ({
      status: 200,
      body: 'x'.repeat(1024 * 1024 + 1),
    }))
    const baseUrl = await start(connector.url)
    const large = await sendRaw(baseUrl, '/credential', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(1024 * 1024 + 1, 0x20),
    })
    expect(large.status).toBe(413)
    expect(JSON.parse(large.text)).toMatchObject({ error: 'payload_too_large' })
    expect(connector.requests).toEqual([])
    expect((await sendRaw(baseUrl, metadataPath)).status).toBe(503)
  })

  // Otherwise the Connector counts a deferred credential as delivered.
  it('is cut off at the Connector when the wallet has gone', async () => {
    const [asked, cutOff] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const server = createServer((socket) => {
      socket.once('data', () => asked.resolve()).once('close', () => cutOff.resolve())
      socket.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const baseUrl = await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const wallet = send(`${baseUrl}/deferred_credential`, { method: 'POST' }).on('error', () => {})
    wallet.end('{"acceptance_token":"x"}')
    await asked.promise
    wallet.destroy()
    await cutOff.promise
  })

  it('ends with 503 if the Connector disconnects or does not listen', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{"a"'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const baseUrl = await start(url)
    const cut = await sendRaw(baseUrl, metadataPath)
    expect([cut.status, JSON.parse(cut.text).error]).toEqual([503, 'temporarily_unavailable'])
    await new Promise((resolve) => server.close(resolve))
    const unavailable = await sendRaw(baseUrl, metadataPath)
    expect([unavailable.status, JSON.parse(unavailable.text).error]).toEqual([
      503,
      'temporarily_unavailable',
    ])
    expect(unavailable.text).not.toContain(url)
  })
})
