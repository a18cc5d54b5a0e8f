import { describe, expect, it } from 'vitest'
import { decodeTokens, shortenTokens } from '#scenarios/reports/decode-tokens.ts'

// RFC 7515, appendix A.1: header and payload of the first example.
const rfc7515 =
  'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ'
const claims = { iss: 'joe', exp: 1300819380, 'http://example.com/is_root': true }
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('decodeTokens', () => {
  it.each([
    ['with its signature', `${rfc7515}.dBjftJeZ4CVP`],
    ['whose signature was cut', `${rfc7515}.…`],
    ['without one', rfc7515],
  ])('decodes a token %s', (_, token) => {
    expect(decodeTokens({ body: { credential: token } })).toEqual([
      {
        path: 'body.credential',
        header: { typ: 'JWT', alg: 'HS256' },
        payload: claims,
        tokens: [],
      },
    ])
  })

  it('finds tokens within text, lists and other tokens', () => {
    const outer = `${encode({ alg: 'EdDSA' })}.${encode({ vp: { verifiableCredential: [rfc7515] } })}.…`
    const [found, ...others] = decodeTokens([`openid4vp://?request=${outer}`])
    expect(others).toEqual([])
    expect(found).toMatchObject({ path: '[0]', header: { alg: 'EdDSA' } })
    expect(found?.tokens).toMatchObject([{ path: 'vp.verifiableCredential[0]', payload: claims }])
  })

  it('passes over what only looks like a token', () => {
    expect(decodeTokens(['eyJub.eyJub', 'eyJ.x', 42, null, { a: undefined }])).toEqual([])
  })
})

describe('shortenTokens', () => {
  it('cuts tokens wherever they stand and leaves the rest', () => {
    expect(shortenTokens({ a: [`x ${rfc7515}.sig y`], b: 1 })).toEqual({
      a: ['x eyJ0eXAiOiJK… y'],
      b: 1,
    })
  })
})
