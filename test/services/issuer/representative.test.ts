import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { verifyIssuedCredential } from '#test/support/foreign-verifiers.ts'
import { readQrPng } from '#test/support/images.ts'
import {
  accreditationUrl,
  codeOf,
  createCredentialRequestBody,
  createHolder,
  credentialTypes,
  grantType,
  type IssuanceSystem,
  issuerDid,
  managementApiKey,
  postForm,
  postJson,
  power,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

let system: IssuanceSystem
beforeAll(async () => {
  system = await startIssuanceSystem()
})
afterAll(() => system.stop())

const bearer = async (claims?: Record<string, unknown>) => ({
  authorization: `Bearer ${await system.tokenIssuer.mint(claims)}`,
})

async function requestQr(body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(`${system.issuer.baseUrl}/issuance/representative`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const editManagement = (method: string, path: string, json?: object) =>
  fetch(`${system.management.baseUrl}/stand-in${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': managementApiKey },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })

const setManagementFailure = (failure: object | undefined) =>
  editManagement(failure === undefined ? 'DELETE' : 'PUT', '/failure', failure)

async function listRecords(): Promise<Record<string, unknown>[]> {
  const answer = await postJson(
    `${system.issuer.baseUrl}/issuance/credential`,
    { organization_identifiers: ['VATES-A12345678'] },
    await bearer(),
  )
  return answer.body as unknown as Record<string, unknown>[]
}

describe('a representative', () => {
  // @row 1.what-the-service-does.1 1.endpoints/credential-issuer.4 1.endpoints/credential-issuer.13
  it.each([
    ['secp256k1', 'key'],
    ['Ed25519', 'jwk'],
  ] as const)('gets their credential into a wallet of %s and did:%s', async (curve, method) => {
    const holder = createHolder(curve, method, 11)
    const qr = await requestQr({ power: [power] }, await bearer())
    expect(qr.status).toBe(200)
    expect(qr.headers.get('content-type')).toBe('image/png')
    const link = new URL(readQrPng(await qr.arrayBuffer()))
    expect(link.protocol).toBe('openid-credential-offer:')
    const offer = JSON.parse(link.searchParams.get('credential_offer') ?? '')
    expect(offer.credential_issuer).toBe(system.connector.baseUrl)
    const [pending] = await listRecords()
    expect(pending).toMatchObject({
      vc_type: 'OrgPortalLearCredential',
      organization_identifier: 'VATES-A12345678',
      status: 'pending',
      credential_id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    })

    const token = await postForm(`${offer.credential_issuer}/token`, {
      grant_type: grantType,
      'pre-authorized_code': codeOf(offer),
    })
    expect(token.status).toBe(200)
    const answer = await postJson(
      `${offer.credential_issuer}/credential`,
      createCredentialRequestBody(offer.credential_issuer, token.body.c_nonce, holder),
      { authorization: `Bearer ${token.body.access_token}` },
    )
    expect(answer.status).toBe(200)
    expect(answer.body.format).toBe('jwt_vc_json')

    const { payload } = await verifyIssuedCredential(String(answer.body.credential))
    const { vc } = payload
    expect(payload).toMatchObject({ iss: issuerDid, sub: holder.did, jti: pending?.credential_id })
    expect(vc['@context'][0]).toBe('https://www.w3.org/ns/credentials/v2')
    expect(vc.type).toEqual(credentialTypes)
    expect(vc.id).toBe(pending?.credential_id)
    expect(vc.termsOfUse.id).toBe(accreditationUrl)
    expect(vc.credentialSubject).toEqual({
      id: holder.did,
      mandate: {
        mandator: {
          organizationIdentifier: 'VATES-A12345678',
          organization: 'Ejemplo S.A.',
          commonName: 'Luz Díaz',
          country: 'ES',
          email: 'luz.diaz@example.org',
          serialNumber: 'IDCES-99999999R',
        },
        mandatee: {
          employeeId: 'IDCES-99999999R',
          email: 'luz.diaz@example.org',
          firstName: 'Luz',
          lastName: 'Díaz',
        },
        power: [power],
      },
    })
    expect(vc.credentialStatus.statusListCredential).toBe(
      `${system.issuer.baseUrl}/credentials/status/1`,
    )
    await vi.waitFor(async () => expect((await listRecords())[0]?.status).toBe('issued'))
  })
})

describe('what POST /issuance/representative refuses', () => {
  const cases: [string, unknown, Record<string, unknown>, readonly string[]][] = [
    ['no power', {}, {}, ['power']],
    ['an empty list of powers', { power: [] }, {}, ['power']],
    ['I78: a power without actions', { power: [{ ...power, action: [] }] }, {}, ['power.0.action']],
    [
      'a power without a domain',
      { power: [{ ...power, domain: undefined }] },
      {},
      ['power.0.domain'],
    ],
    ['a power without a type', { power: [{ ...power, type: undefined }] }, {}, ['power.0.type']],
    ['a function of no text', { power: [{ ...power, function: 7 }] }, {}, ['power.0.function']],
    ['an action of no list', { power: [{ ...power, action: 'Execute' }] }, {}, ['power.0.action']],
    ['a body that is no object', [], {}, ['body']],
    [
      'I76: a token without two claims',
      { power: [power] },
      { organization: '', user_identifier: 7 },
      ['organization', 'user_identifier'],
    ],
  ]
  // @row 1.errors.2 1.errors.11 1.limits.4..5 1.resources-and-their-fields/power-object.1..4
  // @row 1.resources-and-their-fields/token-claims-required-by-the-issuer.1
  it.each(cases)('%s: 400 with the documented message', async (_, body, claims, missing) => {
    const response = await requestQr(body, await bearer(claims))
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: 'Bad Request',
      detail: 'Missing required data or invalid powers',
      error_description: 'Missing required data or invalid powers',
      missing,
    })
  })

  // @row 1.errors.3 1.resources-and-their-fields/power-object.6
  it.each([
    ['I77: one power too many', [power, { ...power, function: 'Other' }], {}],
    ['an organization without a role', [power], { organization_identifier: 'VATES-C00000000' }],
    ['an unknown organization', [power], { organization_identifier: 'VATES-X' }],
  ])('%s: 400 with the other documented message', async (_, powers, claims) => {
    const response = await requestQr({ power: powers }, await bearer(claims))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      detail: 'The requested powers are not authorized for the organization',
    })
  })

  // @row 1.errors.1 1.authentication.1
  it('I81: a Bearer token that is missing, garbled, expired or signed by another key: 401', async () => {
    const now = Math.floor(Date.now() / 1000)
    const tokens = [
      undefined,
      'Basic abc',
      'Bearer',
      'Bearer not.a.jwt',
      `Bearer ${await system.tokenIssuer.mint({ exp: now - 60 })}`,
      `Bearer ${await system.tokenIssuer.mint({}, { foreignKey: true })}`,
      `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`,
    ]
    for (const authorization of tokens) {
      const response = await requestQr(
        { power: [power] },
        authorization === undefined ? {} : { authorization },
      )
      expect(response.status).toBe(401)
      expect(await response.json()).toEqual({ error: 'Unauthorized', detail: 'invalid token' })
    }
  })

  it.each([
    ['a URL', 'VATES-\ud800'],
    ['a database', 'VATES-\0'],
  ])('a token whose organization is no text that %s can hold: 400', async (_, text) => {
    const token = await bearer({ organization_identifier: text })
    const response = await requestQr({ power: [power] }, token)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ missing: ['organization_identifier'] })
  })

  it('nothing at all: 400 with the documented message', async () => {
    const response = await fetch(`${system.issuer.baseUrl}/issuance/representative`, {
      method: 'POST',
      headers: await bearer(),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      detail: 'Missing required data or invalid powers',
    })
  })

  it('what is no JSON: a 4xx, never a 5xx', async () => {
    const headers = await bearer()
    for (const [type, body] of [
      ['application/json', '{'],
      ['text/plain', 'power'],
      ['application/json', ''],
      ['application/json', `{"power":"${'x'.repeat(1_200_000)}"}`],
    ] as const) {
      const response = await fetch(`${system.issuer.baseUrl}/issuance/representative`, {
        method: 'POST',
        headers: { 'content-type': type, ...headers },
        body,
      })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
    }
  })

  it('a key that has been rotated away, while the new one is picked up', async () => {
    const old = await bearer()
    await system.tokenIssuer.rotate()
    system.runtime.advance(60)
    await vi.waitFor(
      async () => expect((await requestQr({ power: [power] }, await bearer())).status).toBe(200),
      { timeout: 5000 },
    )
    expect((await requestQr({ power: [power] }, old)).status).toBe(401)
  })
})

describe('what a representative is told while something is away', () => {
  // @row 1.errors.4
  it('the Connector: 500, and the record stays pending', async () => {
    system.runtime.activeFaults.add('connector-down')
    const response = await requestQr({ power: [power] }, await bearer())
    system.runtime.activeFaults.delete('connector-down')
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ detail: 'Error contacting the Connector' })
    expect((await listRecords())[0]?.status).toBe('pending')
  })

  it('the management API: nothing is authorised, 503', async () => {
    system.runtime.activeFaults.add('management-down')
    const response = await requestQr({ power: [power] }, await bearer())
    system.runtime.activeFaults.delete('management-down')
    expect(response.status).toBe(503)
  })

  it.each([
    ['hangs up', { failure: 'down' }, 503],
    ['answers 500', { failure: 'error' }, 503],
    ['answers what is no JSON', { failure: 'malformed' }, 503],
    ['answers another shape', { failure: 'wrong-shape' }, 503],
    ['answers of an organization that may do anything', { failure: 'wrong-organization' }, 503],
    ['knows nobody', { failure: 'not-found' }, 400],
  ])('the management API that %s authorises nothing', async (_, failure, status) => {
    await setManagementFailure(failure)
    const response = await requestQr({ power: [power] }, await bearer())
    await setManagementFailure(undefined)
    expect(response.status).toBe(status)
    expect((await requestQr({ power: [power] }, await bearer())).status).toBe(200)
  })

  it('the management API that never answers: 503, after a while', async () => {
    await setManagementFailure({ failure: 'slow', seconds: 60 })
    const response = await requestQr({ power: [power] }, await bearer())
    await setManagementFailure(undefined)
    expect(response.status).toBe(503)
  }, 15_000)

  // @row 1.resources-and-their-fields/power-object.6
  it('what the management API changes counts at once', async () => {
    const other = { ...power, domain: 'OTHER' }
    expect((await requestQr({ power: [other] }, await bearer())).status).toBe(400)
    await editManagement('PUT', '/organizations/VATES-A12345678', {
      authorized_powers: [{ ...power, domain: '*' }],
    })
    expect((await requestQr({ power: [other] }, await bearer())).status).toBe(200)
    await editManagement('PUT', '/organizations/VATES-A12345678', {
      authorized_powers: [{ ...power, action: ['Execute', 'Read'] }],
    })
    expect((await requestQr({ power: [other] }, await bearer())).status).toBe(400)
  })

  // @row 1.limits.1 1.states-and-transitions.5
  it.each([
    ['300 seconds by default', {}, 300],
    ['QR_EXPIRATION_TIME seconds', { qrExpirationTime: 60 }, 60],
  ])('its QR lives %s, and a new request gives a new one', async (_, config, lifetime) => {
    const other = await startIssuanceSystem({ issuer: config })
    onTestFinished(() => other.stop())
    const { baseUrl } = other.issuer
    const redeemAfter = async (seconds: number) => {
      const response = await fetch(`${baseUrl}/issuance/representative`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${await other.tokenIssuer.mint({ exp: 4_000_000_000 })}`,
        },
        body: JSON.stringify({ power: [power] }),
      })
      const link = new URL(readQrPng(await response.arrayBuffer()))
      const offer = JSON.parse(link.searchParams.get('credential_offer') ?? '')
      other.runtime.advance(seconds)
      const form = { grant_type: grantType, 'pre-authorized_code': codeOf(offer) }
      return postForm(`${other.connector.baseUrl}/token`, form)
    }
    expect((await redeemAfter(lifetime - 5)).status).toBe(200)
    expect(await redeemAfter(lifetime + 1)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: expect.stringMatching(/expired/) },
    })
    expect((await redeemAfter(0)).status).toBe(200)
  })

  // @row 1.errors.4
  it('its configuration: 500 with the documented messages', async () => {
    for (const [config, detail] of [
      [{ representativeVcType: 'Other' }, 'VC type not configured'],
      [{ connectorProfiles: [] }, 'Connector profile not configured'],
    ] as const) {
      const other = await startIssuanceSystem({ issuer: config })
      const answer = await postJson(
        `${other.issuer.baseUrl}/issuance/representative`,
        { power: [power] },
        { authorization: `Bearer ${await other.tokenIssuer.mint()}` },
      )
      expect(answer).toMatchObject({ status: 500, body: { detail } })
      await other.stop()
    }
  })
})
