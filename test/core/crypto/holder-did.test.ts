import { describe, expect, it } from 'vitest'
import { createHolderDid, resolveHolderKey } from '#core/crypto/holder-did.ts'
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
