import type { CallbackContext } from '@openid4vc/oauth2'
import {
  Openid4vciClient,
  Openid4vciIssuer,
  Openid4vciVersion,
  setGlobalConfig,
} from '@openid4vc/openid4vci'
import { Openid4vpClient } from '@openid4vc/openid4vp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DialectKind, type DialectReport, lintDialect } from '#core/dialect/lint-dialect.ts'
import { createCredentialOffer } from '#core/oid4vci/credential-offer.ts'
import {
  createCredentialRequest,
  createDeferredCredentialRequest,
} from '#core/oid4vci/credential-request.ts'
import { createCredentialResponse } from '#core/oid4vci/credential-response.ts'
import { createIssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import { createTokenRequest, createTokenResponse } from '#core/oid4vci/token.ts'
import { createAuthorizationRequest } from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { createForeignRequest } from '#test/support/explanations.ts'
import { fc } from '#test/support/fast-check.ts'

const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
const request = createAuthorizationRequest({
  clientId: 'did:org:uc-pre:z1verifier',
  responseUri: 'https://verifier.example/responses/1',
  nonce: 'n',
  dcqlQuery: createDcqlQuery({
    id: 'lear',
    types: ['OrgPortalLearCredential'],
    claims: ['$.vc.credentialSubject.mandate'],
  }),
})

const ours: readonly [DialectKind, unknown, readonly string[]][] = [
  [
    'credential-offer',
    createCredentialOffer({
      credentialIssuer: 'https://issuer.example',
      credentials: ['OrgPortalLearCredential'],
      preAuthorizedCode: 'code',
      txCode: { length: 6 },
    }),
    ['credentials.0', `grants.${preAuthorized}.tx_code`],
  ],
  [
    'issuer-metadata',
    createIssuerMetadata({
      credentialIssuer: 'https://issuer.example',
      credentialEndpoint: 'https://issuer.example/credential',
      tokenEndpoint: 'https://issuer.example/token',
      deferredCredentialEndpoint: 'https://issuer.example/deferred_credential',
      credentialsSupported: [
        { id: 'A', format: 'jwt_vc_json', types: ['A'], bindingMethods: [], suites: ['ES256K'] },
      ],
    }),
    [
      'credentials_supported',
      'credentials_supported.0.types',
      'credentials_supported.0.cryptographic_suites_supported',
    ],
  ],
  ['token-request', createTokenRequest({ preAuthorizedCode: 'code', txCode: '1' }), ['tx_code']],
  [
    'token-response',
    createTokenResponse({ accessToken: 't', expiresIn: 1, cNonce: 'n', cNonceExpiresIn: 1 }),
    ['c_nonce', 'c_nonce_expires_in'],
  ],
  [
    'credential-request',
    createCredentialRequest({ format: 'jwt_vc_json', types: ['A'], proofJwt: 'a.b.c' }),
    ['format', 'types', 'proof'],
  ],
  [
    'credential-response',
    createCredentialResponse({ kind: 'immediate', format: 'jwt_vc_json', credential: 'a.b.c' }),
    ['format', 'credential'],
  ],
  [
    'credential-response',
    createCredentialResponse({ kind: 'deferred', acceptanceToken: 't', cNonce: 'n' }),
    ['acceptance_token', 'c_nonce'],
  ],
  ['deferred-request', createDeferredCredentialRequest('t'), ['acceptance_token']],
  [
    'deferred-response',
    createCredentialResponse({ kind: 'immediate', format: 'jwt_vc_json', credential: 'a.b.c' }),
    ['format', 'credential'],
  ],
  [
    'authorization-request',
    request,
    [
      'dcql_query',
      'dcql_query.credentials.0.meta.vct_values',
      'dcql_query.credentials.0.claims.0.path',
    ],
  ],
  [
    'authorization-request',
    { ...request, dcql_query: JSON.stringify(request.dcql_query) },
    [
      'dcql_query',
      'dcql_query.credentials.0.meta.vct_values',
      'dcql_query.credentials.0.claims.0.path',
    ],
  ],
  [
    'presentation-response',
    {
      vp_token: 'a.b.c',
      presentation_submission: JSON.stringify(
        createPresentationSubmission({ id: 's', queryId: 'l' }),
      ),
    },
    ['vp_token', 'presentation_submission'],
  ],
]

describe('messages of the profile', () => {
  it.each(ours)('have no deviations, only members: %s', (kind, message, paths) => {
    const { departures, members } = lintDialect(kind, message)
    expect(departures).toEqual([])
    expect(members.map(({ path }) => path)).toEqual(paths)
  })
})

// The document histories of OpenID4VCI (drafts 8 to 17) and OpenID4VP (to draft 23), and 1.0 of both.
const others: readonly [DialectKind, string, object, string, string][] = [
  [
    'credential-offer',
    'draft 11',
    { credentials: [{ format: 'jwt_vc' }] },
    'credentials.0',
    'up to draft 11',
  ],
  [
    'credential-offer',
    '1.0',
    { credential_configuration_ids: ['A'] },
    'credential_configuration_ids',
    'draft 13 and later',
  ],
  [
    'credential-offer',
    'draft 12',
    { grants: { [preAuthorized]: { user_pin_required: true } } },
    `grants.${preAuthorized}.user_pin_required`,
    'up to draft 12',
  ],
  [
    'issuer-metadata',
    'draft 12',
    { credentials_supported: { A: {} } },
    'credentials_supported',
    'draft 12',
  ],
  [
    'issuer-metadata',
    '1.0',
    { credential_configurations_supported: { A: {} } },
    'credential_configurations_supported',
    'draft 13 and later',
  ],
  [
    'issuer-metadata',
    '1.0',
    { nonce_endpoint: 'https://a.example' },
    'nonce_endpoint',
    'draft 15 and later',
  ],
  [
    'issuer-metadata',
    'draft 13',
    { batch_credential_endpoint: 'x' },
    'batch_credential_endpoint',
    'drafts 9 to 13',
  ],
  ['token-request', 'draft 12', { user_pin: '1' }, 'user_pin', 'up to draft 12'],
  [
    'credential-request',
    '1.0',
    { credential_configuration_id: 'A' },
    'credential_configuration_id',
    'draft 15 and later',
  ],
  ['credential-request', '1.0', { proofs: { jwt: [] } }, 'proofs', 'draft 14 and later'],
  [
    'credential-request',
    'draft 13',
    { credential_definition: {} },
    'credential_definition',
    'drafts 12 to 14',
  ],
  [
    'credential-response',
    '1.0',
    { credentials: [{ credential: 'x' }] },
    'credentials',
    'draft 15 and later',
  ],
  ['credential-response', 'draft 14', { credentials: ['x'] }, 'credentials', 'draft 14'],
  ['credential-response', '1.0', { transaction_id: 'x' }, 'transaction_id', 'draft 12 and later'],
  ['deferred-request', '1.0', { transaction_id: 'x' }, 'transaction_id', 'draft 12 and later'],
  ['deferred-response', 'draft 13', { error: 'issuance_pending' }, 'error', 'drafts 12 to 15'],
  [
    'authorization-request',
    'draft 21',
    { presentation_definition: {} },
    'presentation_definition',
    'up to draft 25',
  ],
  [
    'authorization-request',
    'draft 21',
    { client_id_scheme: 'did' },
    'client_id_scheme',
    'drafts 16 to 21',
  ],
  [
    'authorization-request',
    '1.0',
    { client_id: 'decentralized_identifier:did:a:b' },
    'client_id',
    'OpenID4VP 1.0',
  ],
  [
    'authorization-request',
    '1.0',
    { request_uri_method: 'post' },
    'request_uri_method',
    'draft 21 and later',
  ],
  [
    'authorization-request',
    'JARM',
    { response_mode: 'direct_post.jwt' },
    'response_mode',
    'draft 16 and later',
  ],
  [
    'authorization-request',
    'draft 23',
    { response_mode: 'dc_api' },
    'response_mode',
    'draft 23 and later',
  ],
  [
    'authorization-request',
    'draft 26',
    { verifier_attestations: [] },
    'verifier_attestations',
    'drafts 26 to 28',
  ],
  ['authorization-request', '1.0', { verifier_info: [] }, 'verifier_info', 'draft 29 and later'],
  [
    'authorization-request',
    '1.0',
    { dcql_query: { credentials: [{ multiple: true }] } },
    'dcql_query.credentials.0.multiple',
    'draft 25 and later',
  ],
  [
    'authorization-request',
    '1.0',
    { dcql_query: { credentials: [{ claims: [{ path: ['a', null] }] }] } },
    'dcql_query.credentials.0.claims.0.path',
    'draft 22 and later',
  ],
  [
    'presentation-response',
    '1.0',
    { vp_token: { lear: ['a.b.c'] } },
    'vp_token',
    'draft 22 and later',
  ],
  [
    'presentation-response',
    '1.0',
    { vp_token: '{"lear":["a.b.c"]}' },
    'vp_token',
    'draft 22 and later',
  ],
  [
    'presentation-response',
    'draft 21',
    { presentation_submission: { definition_id: 'x' } },
    'presentation_submission.definition_id',
    'up to draft 25',
  ],
]

describe('messages of other revisions', () => {
  it.each(others)('%s of %s: %j', (kind, _revision, message, path, follows) => {
    const { departures, members } = lintDialect(kind, message)
    const departure = departures.find((entry) => entry.path === path)
    expect(departure?.follows).toContain(follows)
    expect(departure?.documents).toBeTruthy()
    expect(departure?.clause).toContain('profile/')
    expect(members.map(({ follows }) => follows)).toContain(departure?.follows)
  })

  it('shows no secret: a code, a PIN, a token', () => {
    const secret = 'SplxlOBeZQQYbYS6WxSbIA'
    const text = JSON.stringify([
      lintDialect('token-request', { tx_code: secret, user_pin: secret }),
      lintDialect('token-response', { access_token: secret, c_nonce: secret }),
      lintDialect('deferred-request', { acceptance_token: secret, transaction_id: secret }),
      lintDialect('presentation-response', { vp_token: secret, id_token: secret }),
    ])
    expect(text).not.toContain(secret)
  })

  it('lints any input without an error', () => {
    const kinds = fc.constantFrom(...ours.map(([kind]) => kind))
    const json = fc.oneof(fc.jsonValue(), fc.json(), fc.constant(undefined))
    fc.assert(
      fc.property(kinds, json, (kind, message) => {
        const { members, departures } = lintDialect(kind, message)
        expect(departures.length).toBeLessThanOrEqual(members.length)
      }),
    )
  })
})

describe('the messages of oid4vc-ts', () => {
  beforeAll(() => setGlobalConfig({ allowInsecureUrls: true }))

  const sent: { url: string; body: string }[] = []
  const callbacks = {
    fetch: async (url: string, init: RequestInit) => {
      sent.push({ url: String(url), body: String(init.body) })
      return Response.json({ format: 'jwt_vc_json', credential: 'a.b.c' })
    },
  } as unknown as CallbackContext

  const configuration = {
    format: 'jwt_vc_json',
    credential_definition: { type: ['VerifiableCredential', 'A'] },
    cryptographic_binding_methods_supported: ['did:key'],
    credential_signing_alg_values_supported: ['ES256K'],
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256K'] } },
  }
  const grants = {
    'urn:ietf:params:oauth:grant-type:pre-authorized_code': {
      'pre-authorized_code': 'code',
      tx_code: { length: 4 },
    },
  }

  const issuer = new Openid4vciIssuer({ callbacks })
  const credentialIssuer = issuer.createCredentialIssuerMetadata({
    credential_issuer: 'https://issuer.example',
    credential_endpoint: 'https://issuer.example/credential',
    credential_configurations_supported: { A: configuration },
  })
  const issuerMetadata = (originalDraftVersion: Openid4vciVersion) => ({
    originalDraftVersion,
    credentialIssuer,
    authorizationServers: [],
    knownCredentialConfigurations: { A: configuration },
  })
  const offerOf = async (version: Openid4vciVersion) => {
    const { credentialOfferObject } = await issuer.createCredentialOffer({
      issuerMetadata: issuerMetadata(version) as never,
      credentialConfigurationIds: ['A'],
      grants,
    })
    return credentialOfferObject
  }
  const pathsOf = (report: DialectReport) => report.departures.map(({ path }) => path)
  const revisionsOf = ({ members }: DialectReport) => [
    ...new Set(members.map(({ follows }) => follows)),
  ]

  it('have offers of draft 13 and later, or in both forms for draft 11', async () => {
    const latest = lintDialect('credential-offer', await offerOf(Openid4vciVersion.V1))
    expect(pathsOf(latest)).toEqual(['credential_configuration_ids'])
    expect(revisionsOf(latest)).toEqual(['OpenID4VCI 1.0 (draft 13 and later)'])
    const older = lintDialect('credential-offer', await offerOf(Openid4vciVersion.Draft11))
    expect(pathsOf(older)).toEqual([
      'credential_configuration_ids',
      'grants.urn:ietf:params:oauth:grant-type:pre-authorized_code.user_pin_required',
    ])
    expect(older.members.map(({ path }) => path)).toContain('credentials.0')
  })

  it('have metadata of draft 13 and later', () => {
    const report = lintDialect('issuer-metadata', credentialIssuer)
    expect(pathsOf(report)).toContain('credential_configurations_supported')
    expect(pathsOf(report)).toContain('credential_configurations_supported.A.credential_definition')
    expect(revisionsOf(report)).toEqual([
      'OpenID4VCI 1.0 (draft 13 and later)',
      'OpenID4VCI draft 12 and later',
    ])
  })

  it.each([
    [Openid4vciVersion.V1, ['credential_configuration_id']],
    [Openid4vciVersion.Draft14, ['credential_definition']],
    [Openid4vciVersion.Draft11, []],
  ])('have credential requests of %s', async (version, paths) => {
    const client = new Openid4vciClient({ callbacks })
    sent.length = 0
    await client
      .retrieveCredentials({
        issuerMetadata: issuerMetadata(version) as never,
        accessToken: 't',
        credentialConfigurationId: 'A',
        proof: { proof_type: 'jwt', jwt: 'a.b.c' },
      })
      .catch(() => {})
    const [request] = sent
    expect(request?.url).toBe('https://issuer.example/credential')
    expect(pathsOf(lintDialect('credential-request', JSON.parse(request?.body ?? '')))).toEqual(
      paths,
    )
  })

  it('have requests and presentations of OpenID4VP 1.0', async () => {
    const { authorizationRequestPayload } = await createForeignRequest(callbacks)
    expect(pathsOf(lintDialect('authorization-request', authorizationRequestPayload))).toEqual([
      'client_id',
      'dcql_query.credentials.0.meta.type_values',
      'dcql_query.credentials.0.claims.0.path',
    ])
    const client = new Openid4vpClient({ callbacks })
    const { authorizationResponsePayload } = await client.createOpenid4vpAuthorizationResponse({
      authorizationRequestPayload: authorizationRequestPayload as never,
      authorizationResponsePayload: { vp_token: { lear: ['a.b.c'] } },
    })
    expect(pathsOf(lintDialect('presentation-response', authorizationResponsePayload))).toEqual([
      'vp_token',
    ])
  })
})
