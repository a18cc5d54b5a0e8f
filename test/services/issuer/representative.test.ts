import { describe, expect, it } from 'vitest'
import { verifyIssuedCredential } from '#test/support/foreign-verifiers.ts'
import { send } from '#test/support/http.ts'
import { readQrPng } from '#test/support/images.ts'
import {
  accreditationUrl,
  askIssuer,
  codeOf,
  collectCredential,
  createHolder,
  credentialTypes,
  issuerDid,
  listRecords,
  managementApiKey,
  offerOf,
  power,
  redeem,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

const system = await startIssuanceSystem()

const bearer = async (claims?: Record<string, unknown>) => ({
  authorization: `Bearer ${await system.tokenIssuer.mint(claims)}`,
})

const requestQr = (body: unknown, headers: Record<string, string>, { issuer } = system) =>
  send(`${issuer.baseUrl}/issuance/representative`, { json: body, headers })

const editManagement = (method: string, path: string, json?: object) =>
  send(`${system.management.baseUrl}/stand-in${path}`, {
    method,
    headers: { 'x-api-key': managementApiKey },
    json,
  })

const setManagementFailure = (failure: object | undefined) =>
  editManagement(failure === undefined ? 'DELETE' : 'PUT', '/failure', failure)

describe('a representative', () => {
  // @row 1.versioning.1 1.what-the-service-does.1 1.endpoints/credential-issuer.4 1.endpoints/credential-issuer.13
  it('gets the credential into a wallet', async () => {
    const holder = createHolder('Ed25519', 'jwk', 11)
    const qr = await requestQr({ power: [power] }, await bearer())
    expect(qr.status).toBe(200)
    expect(qr.headers.get('content-type')).toBe('image/png')
    const link = new URL(readQrPng(await qr.arrayBuffer()))
    expect(link.protocol).toBe('openid-credential-offer:')
    expect(offerOf(link).credential_issuer).toBe(system.connector.baseUrl)
    const [pending] = await listRecords(system)
    expect(pending).toMatchObject({
      vc_type: 'OrgPortalLearCredential',
      organization_identifier: 'VATES-A12345678',
      status: 'pending',
      credential_id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    })

    const answer = await collectCredential(link, { holder })
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
    await expect.poll(async () => (await listRecords(system))[0]?.status).toBe('issued')
  })
})

describe('POST /issuance/representative rejects', () => {
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
    [
      'a function that is not a string',
      { power: [{ ...power, function: 7 }] },
      {},
      ['power.0.function'],
    ],
    [
      'an action that is not a list',
      { power: [{ ...power, action: 'Execute' }] },
      {},
      ['power.0.action'],
    ],
    ['a body that is not an object', [], {}, ['body']],
    [
      'I76: a token without two claims',
      { power: [power] },
      { organization: '', user_identifier: 7 },
      ['organization', 'user_identifier'],
    ],
  ]
  // @row 1.errors.2 1.errors.11 1.limits.4..5 1.resources-and-their-fields/power-object.1..4
  // @row 1.resources-and-their-fields/token-claims-required-by-the-issuer.1
  it.each(cases)('%s', async (_, body, claims, missing) => {
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
  ])('%s as not authorized', async (_, powers, claims) => {
    const response = await requestQr({ power: powers }, await bearer(claims))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      detail: 'The requested powers are not authorized for the organization',
    })
  })

  // @row 1.errors.1 1.authentication.1
  it('a Bearer token that is missing, malformed, expired or forged (I81)', async () => {
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
  ])('an organization that %s cannot hold', async (_, text) => {
    const token = await bearer({ organization_identifier: text })
    const response = await requestQr({ power: [power] }, token)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ missing: ['organization_identifier'] })
  })
})

describe('a representative', () => {
  it.each(['bearer ', 'BEARER ', 'Bearer  '])('may write the scheme as "%s"', async (scheme) => {
    const authorization = `${scheme}${await system.tokenIssuer.mint()}`
    expect((await requestQr({ power: [power] }, { authorization })).status).toBe(200)
  })

  // @row 1.errors.4
  it('gets 500 without the Connector, and the record stays pending', async () => {
    system.runtime.activeFaults.add('connector-down')
    const response = await requestQr({ power: [power] }, await bearer())
    system.runtime.activeFaults.delete('connector-down')
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ detail: 'Error contacting the Connector' })
    expect((await listRecords(system))[0]?.status).toBe('pending')
  })

  it.each([
    ['hangs up', { failure: 'down' }, 503],
    ['returns 500', { failure: 'error' }, 503],
    ['answers malformed JSON', { failure: 'malformed' }, 503],
    ['answers another shape', { failure: 'wrong-shape' }, 503],
    ['answers for another organization', { failure: 'wrong-organization' }, 503],
    ['does not know the organization', { failure: 'not-found' }, 400],
  ])('gets no credential if the management API %s', async (_, failure, status) => {
    await setManagementFailure(failure)
    const response = await requestQr({ power: [power] }, await bearer())
    await setManagementFailure(undefined)
    expect(response.status).toBe(status)
    expect((await requestQr({ power: [power] }, await bearer())).status).toBe(200)
  })

  it('gets 503 if the management API never answers', async () => {
    await setManagementFailure({ failure: 'slow', seconds: 60 })
    const response = await requestQr({ power: [power] }, await bearer())
    await setManagementFailure(undefined)
    expect(response.status).toBe(503)
  })

  // @row 1.resources-and-their-fields/power-object.6
  it('can use new powers immediately', async () => {
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
  ])('gets an offer that is valid for %s', async (_, config, lifetime) => {
    const other = await startIssuanceSystem({ issuer: config })
    const redeemAfter = async (seconds: number) => {
      const token = await other.tokenIssuer.mint({ exp: 4_000_000_000 })
      const headers = { authorization: `Bearer ${token}` }
      const response = await requestQr({ power: [power] }, headers, other)
      const link = new URL(readQrPng(await response.arrayBuffer()))
      other.runtime.advance(seconds)
      return redeem(other, codeOf(offerOf(link)))
    }
    expect((await redeemAfter(lifetime - 5)).status).toBe(200)
    expect(await redeemAfter(lifetime + 1)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: expect.stringMatching(/expired/) },
    })
    expect((await redeemAfter(0)).status).toBe(200)
  })

  // @row 1.errors.4
  it('gets 500 for an incomplete configuration', async () => {
    for (const [config, detail] of [
      [{ representativeVcType: 'Other' }, 'VC type not configured'],
      [{ connectorProfiles: [] }, 'Connector profile not configured'],
    ] as const) {
      const other = await startIssuanceSystem({ issuer: config })
      const answer = await askIssuer(other, 'representative', { power: [power] })
      expect(answer).toMatchObject({ status: 500, body: { detail } })
    }
  })
})
