import { Openid4vciClient, setGlobalConfig } from '@openid4vc/openid4vci'
import { describe, expect, it } from 'vitest'
import {
  createCredentialOffer,
  createCredentialOfferReferenceUri,
  createCredentialOfferUri,
  parseCredentialOffer,
  parseCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
const offer = {
  credentialIssuer: 'http://127.0.0.1:4010',
  credentials: ['OrgPortalLearCredential'],
  preAuthorizedCode: 'code-1',
}
const txCode = { length: 6, inputMode: 'numeric', description: 'Sent by mail' } as const

describe('credential offer', () => {
  it('has the form of document 1 and leaves tx_code out where no PIN is required', () => {
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

  it('travels by value', () => {
    const uri = createCredentialOfferUri(createCredentialOffer({ ...offer, txCode }))
    expect(uri).toMatch(/^openid-credential-offer:\/\/\?credential_offer=%7B/)
    expect(parseCredentialOfferUri(uri)).toEqual({
      ok: true,
      delivery: 'value',
      offer: { ...offer, txCode },
    })
  })

  it('travels by reference', () => {
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

  it('is read with unknown members, unknown grants and an input_mode left out', () => {
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
  ])('refuses by %s: %s', (rule, uri) => {
    const result = parseCredentialOfferUri(uri)
    expect(result.ok === false && result.failures[0]?.rule).toBe(rule)
  })

  it('names every broken member', () => {
    const result = parseCredentialOffer({ credential_issuer: 'x', credentials: [] })
    expect(result.ok === false && result.failures.map(({ path }) => path)).toEqual([
      'credential_issuer',
      'credentials',
    ])
  })
})
