import { describe, expect, it } from 'vitest'
import { accountOfKey, createAccount } from '#wallet-emulator/keys/create-account.ts'

describe('createAccount', () => {
  it('gives the same account for the same seed, another one for any other choice', () => {
    const dids = [
      createAccount({ seed: 'a' }),
      createAccount({ seed: 'b' }),
      createAccount({ seed: 'a', didMethod: 'jwk' }),
      createAccount({ seed: 'a', curve: 'Ed25519' }),
      createAccount(),
      createAccount(),
    ].map(({ did }) => did)
    expect(new Set(dids).size).toBe(dids.length)
    expect(createAccount({ seed: 'a' })).toEqual(createAccount({ seed: 'a' }))
  })

  it('names its key as its DID method has it', () => {
    const key = createAccount()
    expect(key.kid).toBe(`${key.did}#${key.did.slice('did:key:'.length)}`)
    const jwk = createAccount({ didMethod: 'jwk' })
    expect(jwk.kid).toBe(`${jwk.did}#0`)
  })

  it('takes no key of another curve', () => {
    const privateKey = { kty: 'EC', crv: 'P-384', x: 'a', y: 'b', d: 'c' }
    expect(() => accountOfKey({ didMethod: 'jwk', privateKey })).toThrow(TypeError)
  })
})
