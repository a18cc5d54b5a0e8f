import { Openid4vciClient, setGlobalConfig } from '@openid4vc/openid4vci'
import { describe, expect, it } from 'vitest'
import { callJson } from '#test/support/http.ts'
import {
  connectorApiKey,
  grantType,
  makeOffer,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

const system = await startIssuanceSystem({
  connector: { apiPathPrefix: '/app/v1/p/g' },
  issuer: {},
})

describe('the metadata of the connector', () => {
  // @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.1 1.resources-and-their-fields/issuer-metadata.1..3
  // @row 1.resources-and-their-fields/supported-curves.4
  it('has the fields of the profile and requires no authentication (I01 to I04)', async () => {
    const { baseUrl } = system.connector
    const response = await fetch(`${baseUrl}/.well-known/openid-credential-issuer`, {
      headers: { accept: 'text/html' },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toMatchObject({
      credential_issuer: baseUrl,
      credential_endpoint: `${baseUrl}/credential`,
      credentials_supported: [
        {
          format: 'jwt_vc_json',
          id: 'OrgPortalLearCredential',
          types: ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential'],
          cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
          cryptographic_suites_supported: ['ES256K', 'EdDSA'],
        },
      ],
    })
  })
})

describe('the JSON Schema of a credential type', () => {
  it('is published under its own address for known types', async () => {
    const url = `${system.connector.baseUrl}/schemas/OrgPortalLearCredential`
    const response = await fetch(url)
    expect(response.headers.get('content-type')).toMatch(/^application\/schema\+json/)
    expect(await response.json()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: url,
    })
    expect((await fetch(`${url}x`)).status).toBe(404)
  })
})

describe("the connector's API for issuers below a path prefix", () => {
  const api = (path: string) => `${system.connector.baseUrl}/app/v1/p/g${path}`
  const key = { 'x-api-key': connectorApiKey }
  const order = (body: object) =>
    callJson(api('/preauth-code'), {
      json: { vc_names: ['OrgPortalLearCredential'], subject_id: crypto.randomUUID(), ...body },
      headers: key,
    })
  const offer = (query: string, headers: Record<string, string> = key) =>
    fetch(api(`/credential-offer?${query}`), { headers, redirect: 'manual' })

  // @row 1.resources-and-their-fields/credential-offer-object.1..5
  it('returns an offer as QR code, content, link and redirect (I05, I07, I08)', async () => {
    const { status, body } = await order({ expires_in: 120 })
    expect(status).toBe(200)
    const offer_uri = expect.any(String)
    expect(body).toEqual({ preauth_code: expect.any(String), expires_in: 120, offer_uri })
    const code = `preauth_code=${body.preauth_code}`
    const content = await (await offer(`${code}&response_mode=content`)).json()
    expect(content).toEqual({
      credential_issuer: system.connector.baseUrl,
      credentials: ['OrgPortalLearCredential'],
      grants: { [grantType]: { 'pre-authorized_code': body.preauth_code } },
    })
    const metadata = await fetch(`${system.connector.baseUrl}/.well-known/openid-credential-issuer`)
    const { credentials_supported } = (await metadata.json()) as {
      credentials_supported: { id: string }[]
    }
    const ids = credentials_supported.map(({ id }) => id)
    expect(ids).toContain('OrgPortalLearCredential')
    expect(new Set(ids).size).toBe(ids.length)
    const link = await (await offer(`${code}&response_mode=deep-link`)).text()
    expect(JSON.parse(new URL(link).searchParams.get('credential_offer') ?? '')).toEqual(content)
    expect(body.offer_uri).toBe(link)
    const redirect = await offer(`${code}&response_mode=redirect`)
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, link])
    const qr = await offer(`${code}&response_mode=qr`)
    expect(qr.headers.get('content-type')).toBe('image/png')
  })

  // @row 1.resources-and-their-fields/credential-offer-object.6
  it('serves the offer behind a reference repeatedly (I06)', async () => {
    const { body } = await order({})
    const link = await (
      await offer(`preauth_code=${body.preauth_code}&response_mode=deep-link&delivery=reference`)
    ).text()
    const address = new URL(link).searchParams.get('credential_offer_uri') ?? ''
    const [first, second] = await Promise.all([fetch(address), fetch(address)])
    expect(first.headers.get('content-type')).toMatch(/^application\/json/)
    const text = await first.text()
    expect(await second.text()).toBe(text)
    expect(text).toContain(String(body.preauth_code))
    expect(address).not.toContain(String(body.preauth_code))
    expect((await fetch(`${system.connector.baseUrl}/offers/none`)).status).toBe(404)
  })

  // @row 1.resources-and-their-fields/credential-offer-object.4
  it('describes the PIN, which the issuer may choose (I08)', async () => {
    const made = await order({
      tx_code: { length: 8, input_mode: 'numeric', description: 'By mail' },
    })
    expect(made.body.pin).toMatch(/^\d{8}$/)
    const content = (await (
      await offer(`preauth_code=${made.body.preauth_code}&response_mode=content`)
    ).json()) as { grants: Record<string, { tx_code: unknown }> }
    expect(content.grants[grantType]?.tx_code).toEqual({
      length: 8,
      input_mode: 'numeric',
      description: 'By mail',
    })
    expect((await order({ tx_code: { input_mode: 'text', value: 'Ab-12' } })).body.pin).toBe(
      'Ab-12',
    )
    expect((await order({ tx_code: { input_mode: 'text' } })).body.pin).toMatch(/^[A-Z2-9]{6}$/)
  })

  it.each([
    ['an unknown type', { vc_names: ['Other'] }],
    ['no type', { vc_names: [] }],
    ['no subject', { subject_id: '' }],
    ['no lifetime', { expires_in: 0 }],
    ['a lifetime that is text', { expires_in: '300' }],
    ['a PIN that is not numeric', { tx_code: { input_mode: 'numeric', value: 'abc' } }],
    ['a PIN of another length', { tx_code: { length: 4, value: '12345' } }],
    ['an unknown input mode', { tx_code: { input_mode: 'speech' } }],
  ])('rejects an order with %s', async (_, body) => {
    expect((await order(body)).status).toBe(400)
  })

  it('has one offer for a subject, replaceable until it is redeemed', async () => {
    const subject_id = crypto.randomUUID()
    const first = await order({ subject_id })
    const second = await order({ subject_id })
    const redeem = (code: unknown) =>
      fetch(`${system.connector.baseUrl}/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: grantType, 'pre-authorized_code': String(code) }),
      })
    expect((await redeem(first.body.preauth_code)).status).toBe(400)
    expect((await redeem(second.body.preauth_code)).status).toBe(200)
    expect((await order({ subject_id })).status).toBe(409)
  })

  it('shows the state of an issuance and ends an open offer', async () => {
    const subject_id = crypto.randomUUID()
    const { body } = await order({ subject_id })
    const read = async () =>
      (await fetch(api(`/credentials/issued/${subject_id}`), { headers: key })).json()
    expect(await read()).toMatchObject({ subject_id, status: '0x0', state: 'offered' })
    const status = (value: unknown) =>
      callJson(api(`/credentials/issued/${subject_id}/status`), {
        json: { status: value },
        headers: key,
      })
    expect((await status('0x0')).status).toBe(400)
    expect((await status('0x1')).body).toMatchObject({ status: '0x1', state: 'ended' })
    expect((await status('0x1')).status).toBe(200)
    const token = await fetch(`${system.connector.baseUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: grantType,
        'pre-authorized_code': String(body.preauth_code),
      }),
    })
    expect(await token.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('requires the API key and returns 404 for unknown ids', async () => {
    for (const headers of [{}, { 'x-api-key': 'wrong' }] as Record<string, string>[]) {
      expect((await offer('preauth_code=x', headers)).status).toBe(401)
      expect((await callJson(api('/preauth-code'), { json: {}, headers })).status).toBe(401)
      expect((await fetch(api('/credentials/issued/x'), { headers })).status).toBe(401)
      expect(
        (await callJson(api('/credentials/issued/x/status'), { json: {}, headers })).status,
      ).toBe(401)
    }
    expect((await offer('preauth_code=none')).status).toBe(404)
    expect((await offer('')).status).toBe(400)
    expect((await offer('preauth_code=x&response_mode=fax')).status).toBe(400)
    expect((await fetch(api('/credentials/issued/none'), { headers: key })).status).toBe(404)
    expect(
      (
        await callJson(api('/credentials/issued/none/status'), {
          json: { status: '0x1' },
          headers: key,
        })
      ).status,
    ).toBe(404)
  })
})

describe('third-party libraries', () => {
  it('oid4vc-ts resolves offers by value and by reference', async () => {
    setGlobalConfig({ allowInsecureUrls: true })
    const plain = await startIssuanceSystem()
    const client = new Openid4vciClient({ callbacks: { fetch } as never })
    for (const delivery of ['value', 'reference'] as const) {
      const { offerUri, code } = await makeOffer(plain, { delivery })
      expect(await client.resolveCredentialOffer(offerUri)).toMatchObject({
        credential_issuer: plain.connector.baseUrl,
        credential_configuration_ids: ['OrgPortalLearCredential'],
        grants: { [grantType]: { 'pre-authorized_code': code } },
      })
    }
  })
})
