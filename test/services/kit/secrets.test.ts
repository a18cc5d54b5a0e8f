import { scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createPasswordHash, isPasswordHash, verifyPassword } from '#kit/secrets.ts'

describe('password hashes', () => {
  it('match their password and no other', async () => {
    const hash = await createPasswordHash('correct horse')
    expect(isPasswordHash(hash)).toBe(true)
    expect(await verifyPassword('correct horse', hash)).toBe(true)
    expect(await verifyPassword('correct horse ', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
    expect(await createPasswordHash('correct horse')).not.toBe(hash)
  })

  it('match a hash from another implementation, with its own cost parameters', async () => {
    // RFC 7914, section 12, third vector: N 16384, r 8, p 1; the first 32 of its 64 bytes.
    const vector = '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2'
    const options = { N: 16384, r: 8, p: 1 }
    expect(scryptSync('pleaseletmein', 'SodiumChloride', 32, options).toString('hex')).toBe(vector)
    const salt = Buffer.from('SodiumChloride').toString('base64url')
    const key = Buffer.from(vector, 'hex').toString('base64url')
    expect(await verifyPassword('pleaseletmein', `scrypt$16384$8$1$${salt}$${key}`)).toBe(true)
  })

  it('do not match a missing or malformed hash, or an excessively long password', async () => {
    const long = 'x'.repeat(1025)
    expect(await verifyPassword('anything', undefined)).toBe(false)
    expect(await verifyPassword('anything', 'anything')).toBe(false)
    expect(await verifyPassword(long, await createPasswordHash(long))).toBe(false)
  })
})
