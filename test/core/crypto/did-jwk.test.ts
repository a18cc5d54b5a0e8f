import { describe, expect, it } from 'vitest'
import { createDidJwk, parseDidJwk } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'

// The P-256 example of the did:jwk method specification.
const example =
  'did:jwk:eyJjcnYiOiJQLTI1NiIsImt0eSI6IkVDIiwieCI6ImFjYklRaXVNczNpOF91c3pFakoydHBUdFJNNEVVM3l6OTFQSDZDZEgyVjAiLCJ5IjoiX0tjeUxqOXZXTXB0bm1LdG00NkdxRHo4d2Y3NEk1TEtncmwyR3pIM25TRSJ9'
const exampleKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'acbIQiuMs3i8_uszEjJ2tpTtRM4EU3yz91PH6CdH2V0',
  y: '_KcyLj9vWMptnmKtm46GqDz8wf74I5LKgrl2GzH3nSE',
}

const didOf = (value: unknown) =>
  `did:jwk:${Buffer.from(JSON.stringify(value)).toString('base64url')}`

describe('did:jwk', () => {
  it("gives and reads the method specification's example", () => {
    expect(createDidJwk(exampleKey)).toBe(example)
    expect(parseDidJwk(example)).toEqual(exampleKey)
  })

  it('holds no more than the key, whatever the JWK carries', () => {
    const jwk = createPrivateJwk('Ed25519', Buffer.alloc(32, 1))
    const { d: _, ...publicPart } = jwk
    expect(parseDidJwk(createDidJwk({ ...jwk, kid: 'x', use: 'sig' }))).toEqual(publicPart)
  })

  it('accepts any order of members and further public ones', () => {
    const { kty, crv, x, y } = exampleKey
    expect(parseDidJwk(didOf({ y, x, use: 'sig', crv, kty }))).toEqual({
      ...exampleKey,
      use: 'sig',
    })
  })

  it.each([
    ['a private key', didOf(createPrivateJwk('secp256k1', Buffer.alloc(32, 1)))],
    ['a symmetric key', didOf({ kty: 'oct', k: 'AA' })],
    ['a point off the curve', didOf({ ...exampleKey, y: exampleKey.x })],
    ['a key of another curve than named', didOf({ ...exampleKey, crv: 'secp256k1' })],
    ['a short coordinate', didOf({ ...exampleKey, x: 'AA' })],
    ['no object', didOf([exampleKey])],
    ['no JSON', 'did:jwk:AAAA'],
    ['padding', `${example}==`],
    ['a fragment', `${example}#0`],
  ])('refuses %s', (_, did) => {
    expect(parseDidJwk(did)).toBeUndefined()
  })

  it('publicJwkOf drops every private member', () => {
    const jwk = createPrivateJwk('secp256k1', Buffer.alloc(32, 1))
    expect(Object.keys(publicJwkOf({ ...jwk, kid: 'k' })).sort()).toEqual([
      'crv',
      'kid',
      'kty',
      'x',
      'y',
    ])
  })
})
