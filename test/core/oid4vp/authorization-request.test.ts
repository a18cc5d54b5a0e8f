import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import {
  createAuthorizationRequest,
  createAuthorizationRequestReferenceUri,
  createAuthorizationRequestUri,
  parseAuthorizationRequest,
  parseAuthorizationRequestUri,
} from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import { createSignedRequest, verifySignedRequest } from '#core/oid4vp/signed-request.ts'

const queryFor = (...path: string[]) => ({
  credentials: [{ id: 'q', format: 'jwt_vc_json', claims: [{ path }] }],
})

const dcqlQuery = createDcqlQuery({
  id: 'lear',
  types: ['OrgPortalLearCredential'],
  claims: ['$.vc.credentialSubject.mandate'],
})
const request = {
  clientId: 'did:org:uc-pre:z1abc',
  responseUri: 'https://verifier.example/responses/1',
  nonce: 'n-0S6_WzA2Mj',
  state: 'af0ifjsldkj',
  dcqlQuery,
}
// profile/verifier, Presentation request.
const wire = {
  response_type: 'vp_token',
  response_mode: 'direct_post',
  response_uri: 'https://verifier.example/responses/1',
  client_id: 'did:org:uc-pre:z1abc',
  nonce: 'n-0S6_WzA2Mj',
  state: 'af0ifjsldkj',
  dcql_query: {
    credentials: [
      {
        id: 'lear',
        format: 'jwt_vc_json',
        meta: { vct_values: ['OrgPortalLearCredential'] },
        claims: [{ path: ['$.vc.credentialSubject.mandate'] }],
      },
    ],
  },
}

// @row 1.resources-and-their-fields/presentation-authorization-request.1..8
describe('a presentation request', () => {
  it('has the form of the document', () => {
    expect(createAuthorizationRequest(request)).toEqual(wire)
    expect(parseAuthorizationRequest(wire)).toEqual({ ok: true, request })
  })

  it('can be sent by value, with each parameter URL-encoded', () => {
    const uri = createAuthorizationRequestUri(createAuthorizationRequest(request))
    const parameters = new URLSearchParams(uri.slice('openid4vp://?'.length))
    expect(Object.fromEntries(parameters)).toEqual({
      ...wire,
      dcql_query: JSON.stringify(wire.dcql_query),
    })
    expect(parseAuthorizationRequestUri(uri)).toEqual({ ok: true, delivery: 'value', request })
  })

  it('can be sent by reference', () => {
    const uri = createAuthorizationRequestReferenceUri('https://verifier.example/requests/1?a=b')
    expect(uri).toBe(
      'openid4vp://?request_uri=https%3A%2F%2Fverifier.example%2Frequests%2F1%3Fa%3Db',
    )
    expect(parseAuthorizationRequestUri(uri)).toEqual({
      ok: true,
      delivery: 'reference',
      requestUri: 'https://verifier.example/requests/1?a=b',
    })
  })

  it('can be sent as a signed JWT in the link', () => {
    expect(parseAuthorizationRequestUri('openid4vp://?client_id=did%3Ax&request=a.b.c')).toEqual({
      ok: true,
      delivery: 'signed',
      requestJwt: 'a.b.c',
      clientId: 'did:x',
    })
  })

  it.each([
    ['W38 another response type', { response_type: 'code' }, ['request.response-type']],
    ['W39 another response mode', { response_mode: 'fragment' }, ['request.response-mode']],
    ['no response mode', { response_mode: undefined }, ['request.response-mode']],
    ['W41 a redirect_uri', { redirect_uri: 'https://verifier.example' }, ['request.redirect-uri']],
    ['W161 transaction_data', { transaction_data: ['e30'] }, ['request.transaction-data']],
    ['W37 no nonce', { nonce: undefined }, ['request.nonce']],
    ['no client_id', { client_id: '' }, ['request.client-id']],
    ['no response_uri', { response_uri: undefined }, ['request.response-uri']],
    [
      'a response_uri of another scheme',
      { response_uri: 'file:///etc/passwd' },
      ['request.response-uri'],
    ],
    [
      'W40 a presentation definition instead',
      { dcql_query: undefined, presentation_definition: {} },
      ['request.presentation-definition', 'request.dcql-query'],
    ],
    [
      'W42 another format',
      { dcql_query: { credentials: [{ id: 'x', format: 'vc+sd-jwt' }] } },
      ['request.dcql-query'],
    ],
    ['an empty query', { dcql_query: { credentials: [] } }, ['request.dcql-query']],
    [
      'a claim path in the segments of OpenID4VP 1.0',
      { dcql_query: queryFor('vc', 'credentialSubject') },
      ['request.dcql-query'],
    ],
    [
      'a claim path that is not valid JSONPath',
      { dcql_query: queryFor('$.vc.[') },
      ['request.dcql-query'],
    ],
    ['a query that is not valid JSON', { dcql_query: '{' }, ['request.dcql-query']],
  ])('is rejected with %s', (_name, change, expected) => {
    const result = parseAuthorizationRequest({ ...wire, ...change })
    expect(result.ok ? [] : result.failures.map(({ rule }) => rule)).toEqual(expected)
  })

  it.each([
    ['not a link', 'request.uri'],
    ['mailto:somebody@example.org', 'request.uri'],
    ['openid4vp://?request_uri=https%3A%2F%2Fa.example&request=x', 'request.delivery'],
    ['openid4vp://?request_uri=file%3A%2F%2F%2Fetc', 'request.delivery'],
    ['openid4vp://?nonce=1&nonce=2', 'request.delivery'],
  ])('is not read from %j', (uri, rule) => {
    const result = parseAuthorizationRequestUri(uri)
    expect(result.ok ? [] : result.failures.map((failure) => failure.rule)).toEqual([rule])
  })
})

// @row 1.resources-and-their-fields/presentation-authorization-request.9
describe('a signed presentation request', () => {
  const world = createTrustWorld()
  const { now, issuer: verifier, sources } = world
  const own = createAuthorizationRequest({ ...request, clientId: verifier.did })
  const signed = createSignedRequest({
    request: own,
    kid: verifier.kid,
    privateKey: verifier.privateKey,
    now,
    expiresAt: now + 300,
  })
  const payload = JSON.parse(Buffer.from(signed.split('.')[1] ?? '', 'base64url').toString())
  const sign = (members: object, header: object = {}, privateKey = verifier.privateKey) =>
    signJws({
      header: { alg: 'ES256K', typ: 'oauth-authz-req+jwt', kid: verifier.kid, ...header },
      payload: { ...payload, ...members },
      privateKey,
    })
  const verify = (jwt: string, options: { clientId?: string; at?: number } = {}) => {
    const { clientId, at = now } = options
    const link = clientId === undefined ? {} : { clientId }
    return verifySignedRequest({ jwt, now: at, ...link, ...sources })
  }

  it("verifies with the verifier's registered key (A-45)", async () => {
    const header = JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString())
    expect(header).toEqual({ alg: 'ES256K', typ: 'oauth-authz-req+jwt', kid: verifier.kid })
    expect(payload).toMatchObject({ iss: verifier.did, client_id: verifier.did, iat: now })
    expect(await verify(signed, { clientId: verifier.did })).toEqual({
      ok: true,
      request: { ...request, clientId: verifier.did },
    })
  })

  it('may have the prefix of OpenID4VP 1.0 in client_id', async () => {
    const clientId = `decentralized_identifier:${verifier.did}`
    const request = { ...payload, client_id: clientId }
    expect(await verify(sign(request), { clientId })).toMatchObject({
      ok: true,
      request: { clientId },
    })
    const { kid, privateKey } = world.tao
    expect(await verify(sign(request, { kid }, privateKey))).toMatchObject({ ok: false })
  })

  const stranger = createPrivateJwk('secp256k1', Buffer.alloc(32, 3))
  const unused = `${verifier.did}#${'u'.repeat(43)}`
  world.use(unused, stranger)
  it.each([
    [
      'signed by a key that is listed without any relationship',
      () => sign({}, { kid: unused }, stranger),
      {},
      ['request.signature'],
    ],
    ['W35 signed by another key', () => sign({}, {}, stranger), {}, ['request.signature']],
    [
      'W36 the link names another verifier',
      () => signed,
      { clientId: world.tao.did },
      ['request.client-id'],
    ],
    [
      'a kid that cannot become a string',
      () => sign({}, { kid: { toString: 'x', valueOf: 'x' } }),
      {},
      ['request.client-id', 'request.signature'],
    ],
    [
      'kid of another DID',
      () => sign({}, { kid: world.tao.kid }, world.tao.privateKey),
      {},
      ['request.client-id', 'request.signature'],
    ],
    ['another typ', () => sign({}, { typ: 'JWT' }), {}, ['request.typ']],
    ['another aud', () => sign({ aud: 'https://wallet.example' }), {}, ['request.audience']],
    ['W54 expired', () => signed, { at: now + 300 }, ['request.expiry']],
    ['W108 an exp in ms', () => sign({ exp: (now - 60) * 1000 }), {}, ['request.expiry']],
    ['from the future', () => sign({ iat: now + 61 }), {}, ['request.expiry']],
    [
      'the client_id of another one',
      () => sign({ client_id: world.tao.did, iss: world.tao.did }),
      {},
      ['request.client-id', 'request.signature'],
    ],
    ['W37 no nonce', () => sign({ nonce: undefined }), {}, ['request.nonce']],
    ['no JWT', () => 'nothing', {}, ['request.format']],
  ])('is rejected: %s', async (_name, create, options, expected) => {
    const result = await verify(create(), options)
    expect(result.ok ? [] : result.failures.map(({ rule }) => rule)).toEqual(expected)
  })

  it('is rejected if the DID cannot be resolved', async () => {
    world.unavailable.add('did-registry')
    const result = await verify(signed)
    world.unavailable.clear()
    expect(result.ok ? [] : result.failures.map(({ rule }) => rule)).toEqual(['request.signature'])
  })
})
