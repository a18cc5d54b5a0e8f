import { readFileSync } from 'node:fs'
import { Resolver } from 'did-resolver'
import { getResolver } from 'key-did-resolver'
import { describe, expect, it } from 'vitest'
import { createDidKey, parseDidKey } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'

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

  it('key-did-resolver resolves what we make', async () => {
    const resolver = new Resolver(getResolver())
    for (const curve of ['secp256k1', 'Ed25519'] as const) {
      const did = createDidKey(publicJwkOf(createPrivateJwk(curve, Buffer.alloc(32, 9))))
      const { didDocument } = await resolver.resolve(did)
      expect(didDocument?.id).toBe(did)
      expect(didDocument?.verificationMethod?.[0]?.id).toBe(`${did}#${did.slice(8)}`)
    }
  })
})

describe('parseDidKey refuses', () => {
  const good = vectors[0]?.did ?? ''
  it.each([
    ['another multibase', good.replace(':z', ':f')],
    ['a character outside base58', `${good.slice(0, -1)}0`],
    ['another multicodec (P-256)', 'did:key:zDnaeUKTWUXc1HDpGfKbEK31nKLN19yX5aunFd7VK1CUMeyJu'],
    ['a key cut short', good.slice(0, -4)],
    ['a fragment', `${good}#${good.slice(8)}`],
    ['another method', 'did:web:example.com'],
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
