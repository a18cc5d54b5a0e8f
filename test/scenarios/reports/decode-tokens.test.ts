import { describe, expect, it } from 'vitest'
import { decodeToken, replaceTokens } from '#scenarios/reports/decode-tokens.ts'
import { linearGrowth, measureGrowth } from '#test/support/measure-growth.ts'

// RFC 7515, appendix A.1: header and payload of the first example.
const rfc7515 =
  'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ'

describe('decodeToken', () => {
  it.each([
    ['with its signature', `${rfc7515}.dBjftJeZ4CVP`],
    ['whose signature was cut', `${rfc7515}.…`],
    ['without one', rfc7515],
  ])('decodes a token %s', (_, token) => {
    expect(decodeToken(token)).toEqual({
      header: { typ: 'JWT', alg: 'HS256' },
      payload: { iss: 'joe', exp: 1300819380, 'http://example.com/is_root': true },
    })
  })

  it.each(['eyJub.eyJub', 'eyJ.x', 'eyJhIjoxfQ.WzFd', ''])('passes over %j', (text) => {
    expect(decodeToken(text)).toBeUndefined()
  })
})

describe('replaceTokens', () => {
  it('replaces each token in a text, with its signature, and nothing else', () => {
    const text = `openid4vp://?request=${rfc7515}.sig and ${rfc7515}.… eyJ`
    expect(replaceTokens(text, () => 'T')).toBe('openid4vp://?request=T and T eyJ')
  })

  it('takes linear time for what only looks like tokens', () => {
    const create = (size: number) => 'eyJ-'.repeat(size / 4)
    const growth = measureGrowth(create, (text) => replaceTokens(text, () => undefined))
    expect(growth).toBeLessThan(linearGrowth)
  })

  it('leaves what there is nothing for', () => {
    expect(replaceTokens(`x ${rfc7515}`, () => undefined)).toBe(`x ${rfc7515}`)
  })
})
