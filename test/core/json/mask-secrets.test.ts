import { describe, expect, it } from 'vitest'
import { maskSecrets, maskText } from '#core/json/mask-secrets.ts'
import { linearGrowth, measureGrowth } from '#test/support/timing.ts'

// The token of RFC 7515, appendix A.1.
const header = 'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9'
const payload =
  'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ'
const signature = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const token = `${header}.${payload}.${signature}`

describe('masking', () => {
  it('leaves header and payload of a token and cuts its signature', () => {
    expect(maskSecrets({ vp_token: token })).toEqual({ vp_token: `${header}.${payload}.…` })
    for (const before of ['Bearer ', '-', '_', 'a', 'www.example.', '=']) {
      expect(maskText(before + token)).toBe(`${before}${header}.${payload}.…`)
    }
  })

  it.each([
    'eyJ-',
    'eyJa',
    'eyJa.',
    '-eyJa.a',
    'ticket=',
    '?code=',
    'pin=a&',
    'a://b:',
    'a+',
    'password',
  ])('takes linear time for %s over and over', (text) => {
    const create = (size: number) => text.repeat(size / text.length)
    expect(measureGrowth(create, maskText)).toBeLessThan(linearGrowth)
    const named = (size: number) => ({ [create(size)]: create(size) })
    expect(measureGrowth(named, maskSecrets)).toBeLessThan(linearGrowth)
  })

  it.each([
    ['authorization', 'Basic c2VjcmV0'],
    ['client_secret', 'swordfish'],
    ['password', 'swordfish'],
    ['current_password', 'swordfish'],
    ['tx_code', '493536'],
    ['privateKey', '0x4c0883a6'],
    ['x-api-key', 'swordfish'],
  ])('replaces %s wherever it stands', (name, value) => {
    expect(JSON.stringify(maskSecrets({ list: [{ [name]: value }] }))).not.toContain(value)
  })

  it.each([
    'https://party.example/callback?code=uBhCqe8TJfO2nM3x&state=x',
    'https://party.example/callback?state=x&code=uBhCqe8TJfO2nM3x',
    'openid-credential-offer://?credential_offer=%7B%22pre-authorized_code%22%3A%22uBhCqe8TJfO2nM3x%22%7D',
    'pre-authorized_code=uBhCqe8TJfO2nM3x&tx_code=1',
    '/login/5CdY/broker?ticket=uBhCqe8TJfO2nM3x',
    '/credential?access_token=uBhCqe8TJfO2nM3x',
    '{"acceptance_token":"uBhCqe8TJfO2nM3x"',
  ])('shortens the code in %s', (text) => {
    expect(maskText(text)).toContain('uBhCqe8T…')
    expect(maskText(text)).not.toContain('uBhCqe8TJfO2nM3x')
  })

  it.each(['/token?grant_type=x&tx_code=493536', 'client_secret=493536&code=1'])(
    'replaces the secret in %s',
    (text) => {
      expect(maskText(text)).toContain('=•••')
      expect(maskText(text)).not.toContain('493536')
    },
  )

  it('leaves header and payload of a token in a query', () => {
    expect(maskText(`/userinfo?access_token=${token}`)).toBe(
      `/userinfo?access_token=${header}.${payload}.…`,
    )
  })

  it('replaces what is private in a key, and shortens a code however short it is', () => {
    const rsa = { kty: 'RSA', n: 'n', e: 'AQAB', d: 'secret', p: 'secret', q: 'secret' }
    expect(JSON.stringify(maskSecrets({ jwk: rsa, oct: { kty: 'oct', k: 'secret' } }))).toBe(
      '{"jwk":{"kty":"RSA","n":"n","e":"AQAB","d":"•••","p":"•••","q":"•••"},"oct":{"kty":"oct","k":"•••"}}',
    )
    expect(maskSecrets({ 'pre-authorized_code': 'secret' })).toEqual({
      'pre-authorized_code': 'sec…',
    })
  })

  it('replaces the password in an address, and leaves ports', () => {
    expect(maskText('see https://me:swordfish@issuer.example:8443/x')).toBe(
      'see https://me:•••@issuer.example:8443/x',
    )
    const plain = 'http://127.0.0.1:8080/a@b postgres://host/db'
    expect(maskText(plain)).toBe(plain)
  })

  it('leaves what an offer says about its PIN', () => {
    const offer = { tx_code: { length: 6, input_mode: 'numeric' } }
    expect(maskSecrets(offer)).toEqual(offer)
  })

  it('tells bytes by their number alone', () => {
    expect(maskSecrets({ image: new Uint8Array(3) })).toEqual({ image: '<3 bytes>' })
  })
})
