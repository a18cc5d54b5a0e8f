import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { createPrivateJwk, jwkThumbprint } from '#core/crypto/jwk.ts'

describe('jwkThumbprint', () => {
  it('gives the value of RFC 7638, section 3.1', () => {
    const jwk = {
      kty: 'RSA',
      n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
      e: 'AQAB',
      alg: 'RS256',
      kid: '2011-04-29',
    }
    expect(jwkThumbprint(jwk)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
  })

  it('gives the value of RFC 8037, appendix A.3', () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
    expect(jwkThumbprint(jwk)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })

  it('agrees with jose on a secp256k1 key and takes no private member into account', async () => {
    const jwk = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
    expect(jwkThumbprint(jwk)).toBe(await calculateJwkThumbprint(jwk as never))
  })

  it('refuses a key that lacks a member, or of an unknown type', () => {
    expect(() => jwkThumbprint({ kty: 'EC', crv: 'secp256k1', x: 'AA' })).toThrow(TypeError)
    expect(() => jwkThumbprint({ kty: 'constructor' })).toThrow(TypeError)
  })
})
