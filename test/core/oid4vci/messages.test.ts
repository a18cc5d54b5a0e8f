import { Openid4vciClient, setGlobalConfig } from '@openid4vc/openid4vci'
import { describe, expect, it } from 'vitest'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import {
  createCredentialOffer,
  createCredentialOfferReferenceUri,
  createCredentialOfferUri,
  parseCredentialOffer,
  parseCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import {
  createCredentialRequest,
  createDeferredCredentialRequest,
  parseCredentialRequest,
  parseDeferredCredentialRequest,
} from '#core/oid4vci/credential-request.ts'
import {
  createCredentialResponse,
  parseCredentialResponse,
} from '#core/oid4vci/credential-response.ts'
import { createIssuerMetadata, parseIssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import {
  createTokenRequest,
  createTokenResponse,
  parseTokenRequest,
  parseTokenResponse,
} from '#core/oid4vci/token.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
const offer = {
  credentialIssuer: 'http://127.0.0.1:4010',
  credentials: ['OrgPortalLearCredential'],
  preAuthorizedCode: 'code-1',
}
const txCode = { length: 6, inputMode: 'numeric', description: 'Sent by mail' } as const

describe('credential offer', () => {
  it('has the form of the profile and omits tx_code if no PIN is required', () => {
    expect(createCredentialOffer(offer)).toEqual({
      credential_issuer: 'http://127.0.0.1:4010',
      credentials: ['OrgPortalLearCredential'],
      grants: { [grantType]: { 'pre-authorized_code': 'code-1' } },
    })
    expect(createCredentialOffer({ ...offer, txCode }).grants?.[grantType]?.tx_code).toEqual({
      length: 6,
      input_mode: 'numeric',
      description: 'Sent by mail',
    })
  })

  it('can be sent by value', () => {
    const uri = createCredentialOfferUri(createCredentialOffer({ ...offer, txCode }))
    expect(uri).toMatch(/^openid-credential-offer:\/\/\?credential_offer=%7B/)
    expect(parseCredentialOfferUri(uri)).toEqual({
      ok: true,
      delivery: 'value',
      offer: { ...offer, txCode },
    })
  })

  it('can be sent by reference', () => {
    const address = 'http://127.0.0.1:4010/offers/a?b=c&d=e'
    const uri = createCredentialOfferReferenceUri(address)
    expect(uri).toBe(
      'openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A4010%2Foffers%2Fa%3Fb%3Dc%26d%3De',
    )
    expect(parseCredentialOfferUri(uri)).toEqual({
      ok: true,
      delivery: 'reference',
      credentialOfferUri: address,
    })
  })

  it('is read by oid4vc-ts, by value and by reference', async () => {
    setGlobalConfig({ allowInsecureUrls: true })
    const wire = createCredentialOffer(offer)
    const client = new Openid4vciClient({
      callbacks: {
        fetch: async () => Response.json(wire),
      } as never,
    })
    const expected = {
      credential_issuer: offer.credentialIssuer,
      credential_configuration_ids: offer.credentials,
      grants: { [grantType]: { 'pre-authorized_code': 'code-1' } },
    }
    expect(await client.resolveCredentialOffer(createCredentialOfferUri(wire))).toEqual(expected)
    const reference = createCredentialOfferReferenceUri('http://127.0.0.1:4010/offers/1')
    expect(await client.resolveCredentialOffer(reference)).toEqual(expected)
  })

  it('is read with unknown members, unknown grants and without an input_mode', () => {
    const result = parseCredentialOffer({
      credential_issuer: 'https://issuer.example',
      credentials: ['A'],
      extra: true,
      grants: {
        authorization_code: { issuer_state: 'x' },
        [grantType]: { 'pre-authorized_code': 'c', tx_code: {}, more: 1 },
      },
    })
    expect(result).toEqual({
      ok: true,
      offer: {
        credentialIssuer: 'https://issuer.example',
        credentials: ['A'],
        preAuthorizedCode: 'c',
        txCode: { inputMode: 'numeric' },
      },
    })
  })

  it('allows every character in a PIN of an unknown kind', () => {
    const grant = { 'pre-authorized_code': 'c', tx_code: { input_mode: 'alphanumeric' } }
    const result = parseCredentialOffer({
      credential_issuer: 'https://issuer.example',
      credentials: ['A'],
      grants: { [grantType]: grant },
    })
    expect(result).toMatchObject({ ok: true, offer: { txCode: { inputMode: 'text' } } })
  })

  it.each([
    ['offer.uri', 'no link'],
    ['offer.uri', 'openid4vp://?credential_offer=%7B%7D'],
    ['offer.delivery', 'openid-credential-offer://'],
    [
      'offer.delivery',
      'openid-credential-offer://?credential_offer=%7B%7D&credential_offer=%7B%7D',
    ],
    [
      'offer.delivery',
      'openid-credential-offer://?credential_offer=%7B%7D&credential_offer_uri=http%3A%2F%2Fa',
    ],
    ['offer.delivery', 'openid-credential-offer://?credential_offer_uri=file%3A%2F%2F%2Fetc'],
    ['offer.shape', 'openid-credential-offer://?credential_offer=%7B'],
    ['offer.shape', 'openid-credential-offer://?credential_offer=%5B%5D'],
    ['offer.credential-issuer', 'openid-credential-offer://?credential_offer=%7B%7D'],
  ])('rejects by %s: %s', (rule, uri) => {
    const result = parseCredentialOfferUri(uri)
    expect(result.ok === false && result.failures[0]?.rule).toBe(rule)
  })

  it('does not say that it received undefined if it could not be read as JSON', () => {
    const result = parseCredentialOfferUri('openid-credential-offer://?credential_offer=%7B')
    const failures = result.ok ? [] : result.failures
    expect(failures.map(({ rule }) => rule)).toEqual(['offer.shape'])
    expect(failures[0]?.reason).not.toContain('undefined')
  })

  it('names every broken member', () => {
    const result = parseCredentialOffer({ credential_issuer: 'x', credentials: [] })
    expect(result.ok === false && result.failures.map(({ path }) => path)).toEqual([
      'credential_issuer',
      'credentials',
    ])
  })
})

describe('messages', () => {
  const codeOf = (run: () => unknown) => {
    try {
      run()
      return undefined
    } catch (error) {
      return isTestbedError(error) ? error.code : 'no TestbedError'
    }
  }

  describe('token request', () => {
    it('has the parameters of the profile', () => {
      const form = createTokenRequest({ preAuthorizedCode: 'c', txCode: '123456' })
      expect(form).toEqual({
        grant_type: grantType,
        'pre-authorized_code': 'c',
        tx_code: '123456',
      })
      expect(parseTokenRequest(form)).toEqual({ preAuthorizedCode: 'c', txCode: '123456' })
      expect(createTokenRequest({ preAuthorizedCode: 'c' })).not.toHaveProperty('tx_code')
    })

    it.each([
      ['invalid_request', {}],
      ['invalid_request', { grant_type: grantType }],
      ['invalid_request', { grant_type: grantType, 'pre-authorized_code': '' }],
      ['invalid_request', { grant_type: grantType, 'pre-authorized_code': ['a', 'b'] }],
      ['invalid_request', { grant_type: [grantType, grantType], 'pre-authorized_code': 'a' }],
      ['unsupported_grant_type', { grant_type: 'authorization_code', 'pre-authorized_code': 'a' }],
    ])('rejects with %s', (code, form) => {
      expect(codeOf(() => parseTokenRequest(form))).toBe(code)
    })
  })

  describe('token response', () => {
    it('has the members of the profile and can be parsed', () => {
      const wire = createTokenResponse({
        accessToken: 'a',
        expiresIn: 86400,
        cNonce: 'n',
        cNonceExpiresIn: 86400,
      })
      expect(wire).toEqual({
        access_token: 'a',
        token_type: 'Bearer',
        expires_in: 86400,
        c_nonce: 'n',
        c_nonce_expires_in: 86400,
      })
      expect(parseTokenResponse(wire)).toMatchObject({ ok: true, token: { cNonce: 'n' } })
      expect(parseTokenResponse({ access_token: 'a', token_type: 'mac' }).ok).toBe(false)
      expect(parseTokenResponse({ token_type: 'Bearer' }).ok).toBe(false)
    })
  })

  describe('credential request', () => {
    const types = ['VerifiableCredential', 'LEARCredential']
    const good = { format: 'jwt_vc_json', types, proof: { proof_type: 'jwt', jwt: 'a.b.c' } }

    it('has the form of the profile', () => {
      const request = { format: 'jwt_vc_json', types, proofJwt: 'a.b.c' }
      expect(createCredentialRequest(request)).toEqual(good)
      expect(parseCredentialRequest(good)).toEqual(request)
    })

    it.each([
      ['invalid_request', undefined],
      ['invalid_request', []],
      ['invalid_request', { ...good, format: undefined }],
      ['unsupported_credential_format', { ...good, format: 'vc+sd-jwt' }],
      ['invalid_request', { ...good, types: 'VerifiableCredential' }],
      ['invalid_request', { ...good, types: ['LEARCredential'] }],
      ['invalid_request', { ...good, types: ['VerifiableCredential', 1] }],
      ['invalid_proof', { ...good, proof: undefined }],
      ['invalid_proof', { ...good, proof: 'a.b.c' }],
      ['invalid_proof', { ...good, proof: [] }],
      ['invalid_proof', { ...good, proof: { proof_type: 'cwt', jwt: 'a.b.c' } }],
      ['invalid_proof', { ...good, proof: { proof_type: 'jwt' } }],
      ['invalid_proof', { ...good, proof: { proof_type: 'jwt', jwt: 7 } }],
    ])('rejects with %s', (code, body) => {
      expect(codeOf(() => parseCredentialRequest(body))).toBe(code)
    })
  })

  describe('credential response', () => {
    it('is immediate or deferred', () => {
      const immediate = { kind: 'immediate', format: 'jwt_vc_json', credential: 'a.b.c' } as const
      expect(createCredentialResponse(immediate)).toEqual({
        format: 'jwt_vc_json',
        credential: 'a.b.c',
      })
      const deferred = {
        kind: 'deferred',
        acceptanceToken: 't',
        cNonce: 'n',
        cNonceExpiresIn: 60,
      } as const
      expect(createCredentialResponse(deferred)).toEqual({
        acceptance_token: 't',
        c_nonce: 'n',
        c_nonce_expires_in: 60,
      })
      for (const response of [immediate, deferred]) {
        expect(parseCredentialResponse(createCredentialResponse(response))).toEqual({
          ok: true,
          response,
        })
      }
      expect(parseCredentialResponse({ credential: 'a' }).ok).toBe(false)
      expect(parseCredentialResponse(null).ok).toBe(false)
    })

    it('a deferred one is requested with its acceptance_token', () => {
      expect(parseDeferredCredentialRequest(createDeferredCredentialRequest('t'))).toBe('t')
      for (const body of [undefined, null, {}, { acceptance_token: '' }, { acceptance_token: 1 }]) {
        expect(codeOf(() => parseDeferredCredentialRequest(body))).toBe('invalid_request')
      }
    })
  })

  describe('issuer metadata', () => {
    const metadata = {
      credentialIssuer: 'http://127.0.0.1:4010',
      tokenEndpoint: 'http://127.0.0.1:4010/token',
      credentialEndpoint: 'http://127.0.0.1:4010/credential',
      deferredCredentialEndpoint: 'http://127.0.0.1:4010/deferred_credential',
      credentialsSupported: [
        {
          id: 'OrgPortalLearCredential',
          format: 'jwt_vc_json',
          types: ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential'],
          bindingMethods: ['did:key', 'did:jwk'],
          suites: ['ES256K', 'EdDSA'],
        },
      ],
    }

    it('has the fields of the profile and can be parsed', () => {
      const wire = createIssuerMetadata(metadata)
      expect(wire).toMatchObject({
        credential_issuer: 'http://127.0.0.1:4010',
        credential_endpoint: 'http://127.0.0.1:4010/credential',
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
      expect(parseIssuerMetadata(wire, metadata.credentialIssuer)).toEqual({ ok: true, metadata })
    })

    it('has the paths of the profile as default endpoints', () => {
      const {
        token_endpoint: _,
        deferred_credential_endpoint: __,
        ...wire
      } = createIssuerMetadata(metadata)
      expect(parseIssuerMetadata(wire, metadata.credentialIssuer)).toEqual({ ok: true, metadata })
    })

    it('is rejected if it belongs to another issuer or is malformed', () => {
      const wire = createIssuerMetadata(metadata)
      const other = parseIssuerMetadata(wire, 'http://127.0.0.1:4011')
      expect(other.ok === false && other.failures[0]?.rule).toBe('metadata.issuer')
      const broken = parseIssuerMetadata({ ...wire, credentials_supported: [] }, 'x')
      expect(broken.ok === false && broken.failures.map(({ rule }) => rule)).toEqual([
        'metadata.credentials-supported',
        'metadata.issuer',
      ])
    })

    // @row 1.resources-and-their-fields/issuer-metadata.3
    it('has VerifiableCredential in types of an entry in its format', () => {
      const wire = createIssuerMetadata(metadata)
      const [entry] = wire.credentials_supported
      const parseWith = (change: object) => {
        const credentials_supported = [entry, { ...entry, id: 'Other', ...change }]
        return parseIssuerMetadata({ ...wire, credentials_supported }, metadata.credentialIssuer)
      }
      const types = ['OtherCredential']
      expect(parseWith({ types })).toMatchObject({
        ok: false,
        failures: [
          { rule: 'metadata.credentials-supported', path: 'credentials_supported.1.types' },
        ],
      })
      expect(parseWith({ types, format: 'ldp_vc' }).ok).toBe(true)
    })
  })
})
