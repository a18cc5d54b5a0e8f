import { describe, expect, it } from 'vitest'
import {
  createTermsOfUseUrl,
  parseTermsOfUse,
  parseTermsOfUseUrl,
} from '#core/trust/tir-attribute.ts'

const environment = {
  environment: 'pre',
  tirBaseUrl: 'https://tir.example/trusted-issuers-registry',
} as const
const did = 'did:org:uc-pre:z1abc'
const attributeId = 'ab'.repeat(32)
const url = `https://tir.example/trusted-issuers-registry/v1/issuers/${did}/attributes/${attributeId}`

describe('parseTermsOfUseUrl', () => {
  it('reads what createTermsOfUseUrl makes (Document 2, read an accreditation)', () => {
    expect(
      createTermsOfUseUrl(environment.tirBaseUrl, { did, attributeId: `0x${attributeId}` }),
    ).toBe(url)
    expect(parseTermsOfUseUrl(url, environment)).toEqual({ did, attributeId })
  })

  it.each([
    url.replace('https', 'http'),
    url.replace('tir.example', 'tir.example.evil.example'),
    url.replace('tir.example', 'user@tir.example'),
    url.replace('tir.example/', 'tir.example:8443/'),
    url.replace('uc-pre', 'uc'),
    url.replace('did:org', 'did:web'),
    `${url}/`,
    `${url}?x=1`,
    `${url}#x`,
    ` ${url}`,
    `${url}\n`,
    url.replace('/v1/', '/v2/'),
    url.replace('/v1/', '//v1/'),
    url.replace('issuers/', 'issuers/../issuers/'),
    url.replace('issuers/', 'issuers/%2e%2e/'),
    url.replace(attributeId, `0x${attributeId}`),
    url.replace(attributeId, attributeId.slice(1)),
    url.replace(attributeId, `${attributeId.slice(1)}g`),
    '',
  ])('refuses %j', (text) => {
    expect(parseTermsOfUseUrl(text, environment)).toBeUndefined()
  })
})

describe('parseTermsOfUse', () => {
  it.each([undefined, null, 'text', 7, {}, { id: 7 }, [], [null]])('refuses %j', (value) => {
    expect(parseTermsOfUse(value, environment)).toBeUndefined()
  })
})
