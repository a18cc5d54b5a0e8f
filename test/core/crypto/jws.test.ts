import { generateKeyPairSync } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createJWT, ES256KSigner, verifyJWS } from 'did-jwt'
import { CompactSign, calculateJwkThumbprint, compactVerify, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  createPrivateJwk,
  jwkThumbprint,
  type PrivateJwk,
  publicJwkOf,
  publicKeyHexOf,
} from '#core/crypto/jwk.ts'
import {
  createSignature,
  createSigningKey,
  type ParsedJws,
  parseJws,
  signJws,
  verifyJws,
  verifySignature,
} from '#core/crypto/jws.ts'
import type { SigningAlgorithm } from '#core/crypto/suites.ts'
import {
  createVerificationCache,
  type VerificationCache,
} from '#core/verification/verification-cache.ts'

const all: SigningAlgorithm[] = ['ES256K', 'EdDSA', 'ES256', 'RS256']
const secp = createPrivateJwk('secp256k1', Buffer.alloc(32, 5))
const ed = createPrivateJwk('Ed25519', Buffer.alloc(32, 5))
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  format: 'jwk',
}) as unknown as PrivateJwk
const payload = { iss: 'did:example:1', iat: 1_700_000_000 }

function parsed(compact: string): ParsedJws {
  const result = parseJws(compact)
  if (!result.ok) throw new Error(result.reason)
  return result
}

const verifies = (compact: string, key: PrivateJwk, algorithms = all) =>
  verifyJws({ jws: parsed(compact), publicKey: publicJwkOf(key), algorithms })

describe('JWS vectors', () => {
  it('RFC 8037, appendix A.4 and A.5 (EdDSA)', () => {
    const key = {
      kty: 'OKP',
      crv: 'Ed25519',
      d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    }
    const input = Buffer.from('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc')
    const signature = Buffer.from(
      'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
      'base64url',
    )
    expect(Buffer.from(createSignature('EdDSA', key, input))).toEqual(signature)
    expect(verifySignature('EdDSA', publicJwkOf(key), input, signature)).toBe(true)
    expect(createPrivateJwk('Ed25519', Buffer.from(key.d, 'base64url'))).toEqual(key)
  })

  it('RFC 7515, appendix A.3 (ES256)', () => {
    const compact =
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q'
    const key = {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    }
    const jws = parsed(compact)
    expect(jws.payload).toEqual({
      iss: 'joe',
      exp: 1300819380,
      'http://example.com/is_root': true,
    })
    expect(verifyJws({ jws, publicKey: key, algorithms: ['ES256'] })).toBe(true)
    expect(verifyJws({ jws, publicKey: key, algorithms: ['EdDSA'] })).toBe(false)
  })
})

describe('third-party libraries', () => {
  it.each([
    ['EdDSA', ed],
    ['ES256', p256],
  ] as const)('jose verifies our %s signatures, and we verify those of jose', async (alg, key) => {
    const ours = signJws({ header: { alg, typ: 'JWT' }, payload, privateKey: key })
    const { payload: read } = await compactVerify(
      ours,
      await importJWK(publicJwkOf(key) as never, alg),
    )
    expect(JSON.parse(Buffer.from(read).toString())).toEqual(payload)

    const theirs = await new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg })
      .sign(await importJWK(key as never, alg))
    expect(verifies(theirs, key)).toBe(true)
  })

  it('did-jwt verifies our ES256K signatures, and we verify those of did-jwt', async () => {
    const ours = signJws({ header: { alg: 'ES256K', typ: 'JWT' }, payload, privateKey: secp })
    const method = {
      id: 'did:example:1#1',
      type: 'EcdsaSecp256k1VerificationKey2019',
      controller: 'did:example:1',
      publicKeyHex: publicKeyHexOf(secp).slice(2),
    }
    expect(verifyJWS(ours, method)).toBe(method)

    const theirs = await createJWT(
      payload,
      { issuer: 'did:example:1', signer: ES256KSigner(Buffer.from(secp.d, 'base64url')) },
      { alg: 'ES256K' },
    )
    expect(verifies(theirs, secp)).toBe(true)
  })
})

describe('verifyJws', () => {
  const compact = signJws({ header: { alg: 'ES256K' }, payload, privateKey: secp })
  const [header = '', body = '', signature = ''] = compact.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const withSignature = (value: Uint8Array) =>
    `${header}.${body}.${Buffer.from(value).toString('base64url')}`
  const withHeader = (value: object) =>
    `${Buffer.from(JSON.stringify(value)).toString('base64url')}.${body}.${signature}`

  it('signs ES256K deterministically and low-S', () => {
    expect(signJws({ header: { alg: 'ES256K' }, payload, privateKey: secp })).toBe(compact)
    expect(secp256k1.Signature.fromBytes(bytes).hasHighS()).toBe(false)
  })

  it('accepts the high-S form of a signature', () => {
    const { r, s } = secp256k1.Signature.fromBytes(bytes)
    const high = new secp256k1.Signature(r, secp256k1.Point.CURVE().n - s)
    expect(high.hasHighS()).toBe(true)
    expect(verifies(withSignature(high.toBytes('compact')), secp)).toBe(true)
  })

  it('rejects a changed payload, another key, and an algorithm that is not accepted', () => {
    const other = Buffer.from(JSON.stringify({ ...payload, iat: 1 })).toString('base64url')
    expect(verifies(`${header}.${other}.${signature}`, secp)).toBe(false)
    expect(verifies(compact, createPrivateJwk('secp256k1', Buffer.alloc(32, 6)))).toBe(false)
    expect(verifies(compact, secp, ['EdDSA', 'ES256', 'RS256'])).toBe(false)
  })

  it('rejects signatures in DER, with a byte too many or too few, or empty', () => {
    const der = secp256k1.Signature.fromBytes(bytes).toBytes('der')
    expect(verifies(withSignature(der), secp)).toBe(false)
    expect(verifies(withSignature(Buffer.concat([bytes, Buffer.of(0)])), secp)).toBe(false)
    expect(verifies(withSignature(bytes.subarray(0, 63)), secp)).toBe(false)
    expect(verifies(`${header}.${body}.`, secp)).toBe(false)
  })

  it.each([
    ['none', { alg: 'none' }],
    ['HS256', { alg: 'HS256' }],
    ['an algorithm of another curve', { alg: 'ES256' }],
    ['a different spelling', { alg: 'es256k' }],
    ['an inherited name', { alg: 'constructor' }],
  ])('rejects the algorithm %s', (_, value) => {
    expect(verifies(withHeader(value), secp)).toBe(false)
  })

  it('never takes a key from the header', () => {
    const attacker = createPrivateJwk('secp256k1', Buffer.alloc(32, 8))
    const forged = signJws({
      header: { alg: 'ES256K', jwk: publicJwkOf(attacker) },
      payload,
      privateKey: attacker,
    })
    expect(verifies(forged, secp)).toBe(false)
  })

  it('rejects a key for a different alg or use than its own', () => {
    const jws = parsed(compact)
    const key = publicJwkOf(secp)
    const algorithms = ['ES256K'] as const
    expect(verifyJws({ jws, publicKey: { ...key, alg: 'ES256K' }, algorithms })).toBe(true)
    expect(verifyJws({ jws, publicKey: { ...key, alg: 'ES256' }, algorithms })).toBe(false)
    expect(verifyJws({ jws, publicKey: { ...key, use: 'enc' }, algorithms })).toBe(false)
  })

  it('rejects invalid keys and RSA keys below 2048 bits without throwing', () => {
    const jws = parsed(compact)
    const publicKey = { kty: 'EC', crv: 'secp256k1', x: 'AA', y: 'AA' }
    expect(verifyJws({ jws, publicKey, algorithms: ['ES256K'] })).toBe(false)

    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const weak = privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk
    const signed = signJws({ header: { alg: 'RS256' }, payload, privateKey: weak })
    expect(verifies(signed, weak)).toBe(false)
    const strong = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      format: 'jwk',
    }) as unknown as PrivateJwk
    expect(
      verifies(signJws({ header: { alg: 'RS256' }, payload, privateKey: strong }), strong),
    ).toBe(true)
  })

  it('caches a signature only if it is valid and the caller asks for it', () => {
    const cache = createVerificationCache()
    const made: string[] = []
    const note =
      <Value>(what: string, make: () => Value) =>
      () => {
        made.push(what)
        return make()
      }
    const noted: VerificationCache = {
      ...cache,
      keepPublicKey: (name, make) => cache.keepPublicKey(name, note('key', make)),
      keepSignature: (name, make) => cache.keepSignature(name, note('signature', make)),
    }
    const good = signJws({ header: { alg: 'EdDSA' }, payload, privateKey: ed })
    const bad = `${good.slice(0, -4)}AAAA`
    const verify = (text: string, remember?: boolean) => {
      const publicKey = publicJwkOf(ed)
      return verifyJws({ jws: parsed(text), publicKey, algorithms: all, cache: noted, remember })
    }
    expect([verify(good), verify(good)]).toEqual([true, true])
    expect(made).toEqual(['key'])
    expect([verify(good, true), verify(good, true)]).toEqual([true, true])
    expect(made).toEqual(['key', 'signature'])
    expect([verify(bad, true), verify(bad, true)]).toEqual([false, false])
    expect(made).toEqual(['key', 'signature', 'signature', 'signature'])
  })

  it.each([
    ['ES256K', secp],
    ['EdDSA', ed],
    ['ES256', p256],
  ] as const)('signs %s with a prepared key', (alg, key) => {
    const privateKey = createSigningKey(key)
    for (const _ of [1, 2]) {
      expect(verifies(signJws({ header: { alg }, payload, privateKey }), key)).toBe(true)
    }
    expect(() => signJws({ header: { alg: 'RS256' }, payload, privateKey })).toThrow(
      'the key is not for the algorithm RS256',
    )
  })

  it('signJws rejects an algorithm that the key is not for', () => {
    expect(() => signJws({ header: { alg: 'EdDSA' }, payload, privateKey: secp })).toThrow(
      TypeError,
    )
  })
})

describe('parseJws', () => {
  const good = signJws({ header: { alg: 'EdDSA' }, payload, privateKey: ed })
  const [header = '', body = '', signature = ''] = good.split('.')
  const encode = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64url')

  it.each([
    ['two parts', `${header}.${body}`],
    ['four parts', `${good}.`],
    ['padding', `${header}.${body}.${signature}==`],
    ['standard base64', `${header}.${body}.+/${signature.slice(2)}`],
    ['a line break', `${header}\n.${body}.${signature}`],
    ['left-over bits', `${header}.${body}.${signature.slice(0, -1)}h`],
    ['a header that is a list', `${encode('[]')}.${body}.${signature}`],
    ['a header without alg', `${encode('{}')}.${body}.${signature}`],
    ['a critical extension', `${encode('{"alg":"EdDSA","crit":["b64"]}')}.${body}.${signature}`],
    ['a payload that is text', `${header}.${encode('"x"')}.${signature}`],
    ['a payload that is null', `${header}.${encode('null')}.${signature}`],
    ['a payload that is not UTF-8', `${header}.${encode(Buffer.from([0x22, 0xff]))}.${signature}`],
    ['a header with two alg', `${encode('{"alg":"EdDSA","alg":"none"}')}.${body}.${signature}`],
    ['a payload with two iss', `${header}.${encode('{"iss":"a","iss":"b"}')}.${signature}`],
    [
      'the same name in two spellings, further inside',
      `${header}.${encode('{"vc":[{"id":1,"\\u0069d":2}]}')}.${signature}`,
    ],
    ['nothing', ''],
  ])('rejects %s', (_, text) => {
    expect(parseJws(text).ok).toBe(false)
  })

  it('returns the signed text', () => {
    const result = parseJws(good)
    expect(result.ok && result.signingInput).toBe(`${header}.${body}`)
  })
})

describe('jwkThumbprint', () => {
  it('returns the value of RFC 7638, section 3.1', () => {
    const jwk = {
      kty: 'RSA',
      n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
      e: 'AQAB',
      alg: 'RS256',
      kid: '2011-04-29',
    }
    expect(jwkThumbprint(jwk)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
  })

  it('returns the value of RFC 8037, appendix A.3', () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
    expect(jwkThumbprint(jwk)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })

  it('agrees with jose on a secp256k1 key and ignores private members', async () => {
    const jwk = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
    expect(jwkThumbprint(jwk)).toBe(await calculateJwkThumbprint(jwk as never))
  })

  it('rejects a key that lacks a member, or of an unknown type', () => {
    expect(() => jwkThumbprint({ kty: 'EC', crv: 'secp256k1', x: 'AA' })).toThrow(TypeError)
    expect(() => jwkThumbprint({ kty: 'constructor' })).toThrow(TypeError)
  })
})
