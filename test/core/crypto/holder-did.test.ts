import { readFileSync } from 'node:fs'
import { base58 } from '@scure/base'
import { Resolver } from 'did-resolver'
import { getResolver } from 'key-did-resolver'
import { describe, expect, it } from 'vitest'
import {
  createDidJwk,
  createDidKey,
  createHolderDid,
  parseDidJwk,
  parseDidKey,
  resolveHolderKey,
} from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'

const methods = ['key', 'jwk'] as const
const curves = ['secp256k1', 'Ed25519'] as const
const cases = methods.flatMap((method) => curves.map((curve) => ({ method, curve })))

describe('holder DIDs', () => {
  it.each(cases)('did:$method with $curve resolves to its key', ({ method, curve }) => {
    const publicKey = publicJwkOf(createPrivateJwk(curve, Buffer.alloc(32, 3)))
    const { did, kid } = createHolderDid({ method, publicKey })
    expect(resolveHolderKey(kid)).toEqual({ did, publicKey })
    expect(resolveHolderKey(did)).toBeUndefined()
    expect(resolveHolderKey(`${did}#other`)).toBeUndefined()
    expect(resolveHolderKey(`${kid}#0`)).toBeUndefined()
  })

  it('other methods do not resolve', () => {
    expect(resolveHolderKey('did:web:example.com#0')).toBeUndefined()
    expect(resolveHolderKey('#0')).toBeUndefined()
  })
})

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
  it("creates and reads the method specification's example", () => {
    expect(createDidJwk(exampleKey)).toBe(example)
    expect(parseDidJwk(example)).toEqual(exampleKey)
  })

  it('contains only the key, regardless of the other JWK members', () => {
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
    ['a key on a different curve from crv', didOf({ ...exampleKey, crv: 'secp256k1' })],
    ['a short coordinate', didOf({ ...exampleKey, x: 'AA' })],
    ['not an object', didOf([exampleKey])],
    ['no JSON', 'did:jwk:AAAA'],
    ['padding', `${example}==`],
    ['a fragment', `${example}#0`],
  ])('rejects %s', (_, did) => {
    expect(parseDidJwk(did)).toBeUndefined()
  })

  it('publicJwkOf removes every private member', () => {
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

interface Vector {
  curve: 'secp256k1' | 'Ed25519'
  seed: string
  did: string
}
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('vectors/did-key.json', import.meta.url), 'utf8'),
)

describe('did:key, vectors of the method specification', () => {
  it.each(vectors)('$did', ({ curve, seed, did }) => {
    const key = publicJwkOf(createPrivateJwk(curve, Buffer.from(seed, 'hex')))
    const { d: _, ...publicPart } = createPrivateJwk(curve, Buffer.from(seed, 'hex'))
    expect(createDidKey(key)).toBe(did)
    expect(parseDidKey(did)).toEqual(publicPart)
  })

  it('key-did-resolver resolves our DIDs', async () => {
    const resolver = new Resolver(getResolver())
    for (const curve of ['secp256k1', 'P-256', 'Ed25519'] as const) {
      const did = createDidKey(publicJwkOf(createPrivateJwk(curve, Buffer.alloc(32, 9))))
      const { didDocument } = await resolver.resolve(did)
      expect(didDocument?.id).toBe(did)
      expect(didDocument?.verificationMethod?.[0]?.id).toBe(`${did}#${did.slice(8)}`)
    }
  })
})

describe('parseDidKey rejects', () => {
  const good = vectors[0]?.did ?? ''
  it.each([
    ['a different multibase', good.replace(':z', ':f')],
    ['a character outside base58', `${good.slice(0, -1)}0`],
    [
      'a different multicodec (P-384)',
      'did:key:z82Lm1MpAkeJcix9K8TMiLd5NMAhnwkjjCBeWHXyu3U4oT2MVJJKXkcVBgjGhnLBn2Kaau9',
    ],
    ['a truncated key', good.slice(0, -4)],
    ['a fragment', `${good}#${good.slice(8)}`],
    ['a different method', 'did:web:example.com'],
    ['a very long identifier', `did:key:z${'2'.repeat(100_000)}`],
    // 0xe7 0x01 0x02 and an x that no point of the curve has (5).
    ['a point off the curve', offCurve()],
  ])('%s', (_, did) => {
    expect(parseDidKey(did)).toBeUndefined()
  })
})

function offCurve(): string {
  const bytes = Buffer.concat([Buffer.from([0xe7, 0x01, 0x02]), Buffer.alloc(31), Buffer.of(5)])
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = alphabet.charAt(Number(value % 58n)) + text
  return `did:key:z${text}`
}

describe('P-256, which holders can use if it is configured', () => {
  // did:key method specification, P-256: https://w3c-ccg.github.io/did-key-spec/#p-256
  it.each([
    [
      'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169',
      'fyNYMN0976ci7xqiSdag3buk-ZCwgXU4kz9XNkBlNUI',
      'hW2ojTNfH7Jbi8--CJUo3OCbH3y5n91g-IMA9MLMbTU',
    ],
    [
      'did:key:zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv',
      'igrFmi0whuihKnj9R3Om1SoMph72wUGeFaBbzG2vzns',
      'efsX5b10x8yjyrj4ny3pGfLcY7Xby1KzgqOdqnsrJIM',
    ],
  ])('%s is the vector of the specification', (did, x, y) => {
    const publicKey = { kty: 'EC', crv: 'P-256', x, y }
    expect(parseDidKey(did)).toEqual(publicKey)
    expect(createDidKey(publicKey)).toBe(did)
  })

  it('resolves a did:key only if the suite is accepted', () => {
    const did = 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169'
    const kid = `${did}#${did.slice(8)}`
    expect(resolveHolderKey(kid)).toBeUndefined()
    expect(resolveHolderKey(kid, ['ES256'])?.did).toBe(did)
  })

  it('rejects a scalar outside the range of the curve', () => {
    expect(() => createPrivateJwk('P-256', Buffer.alloc(32))).toThrow(TypeError)
    expect(() => createPrivateJwk('P-256', Buffer.alloc(32, 255))).toThrow(TypeError)
  })

  it('is decompressed only from points of the curve', () => {
    const bytes = Buffer.concat([Buffer.from([0x80, 0x24, 0x02]), Buffer.alloc(32, 255)])
    expect(parseDidKey(`did:key:z${base58.encode(bytes)}`)).toBeUndefined()
  })
})
