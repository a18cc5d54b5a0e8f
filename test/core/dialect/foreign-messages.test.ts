import type { CallbackContext } from '@openid4vc/oauth2'
import {
  Openid4vciClient,
  Openid4vciIssuer,
  Openid4vciVersion,
  setGlobalConfig,
} from '@openid4vc/openid4vci'
import { Openid4vpClient } from '@openid4vc/openid4vp'
import { beforeAll, describe, expect, it } from 'vitest'
import { lintDialect } from '#core/dialect/lint-dialect.ts'
import { createForeignRequest } from '#test/support/explanations.ts'

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
const pathsOf = (report: ReturnType<typeof lintDialect>) =>
  report.departures.map(({ path }) => path)

describe('the messages of oid4vc-ts', () => {
  it('are offers of draft 13 and later, or of both forms at once for draft 11', async () => {
    const latest = lintDialect('credential-offer', await offerOf(Openid4vciVersion.V1))
    expect(pathsOf(latest)).toEqual(['credential_configuration_ids'])
    expect(latest.revisions).toEqual(['OpenID4VCI 1.0 (draft 13 and later)'])
    const older = lintDialect('credential-offer', await offerOf(Openid4vciVersion.Draft11))
    expect(pathsOf(older)).toEqual([
      'credential_configuration_ids',
      'grants.urn:ietf:params:oauth:grant-type:pre-authorized_code.user_pin_required',
    ])
    expect(older.members.map(({ path }) => path)).toContain('credentials.0')
  })

  it('are metadata of draft 13 and later', () => {
    const report = lintDialect('issuer-metadata', credentialIssuer)
    expect(pathsOf(report)).toContain('credential_configurations_supported')
    expect(pathsOf(report)).toContain('credential_configurations_supported.A.credential_definition')
    expect(report.revisions).toEqual([
      'OpenID4VCI 1.0 (draft 13 and later)',
      'OpenID4VCI draft 12 and later',
    ])
  })

  it.each([
    [Openid4vciVersion.V1, ['credential_configuration_id']],
    [Openid4vciVersion.Draft14, ['credential_definition']],
    [Openid4vciVersion.Draft11, []],
  ])('are credential requests of %s', async (version, paths) => {
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

  it('are requests and presentations of OpenID4VP 1.0', async () => {
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
