import { readFileSync } from 'node:fs'
import { keccak256, recoverAddress } from 'ethers'
import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { findVerificationKey, zDidDocument } from '#core/did/did-document.ts'
import {
  isVerificationMethodId,
  parseDidOrg,
  parseDidUrl,
  verificationMethodIdOf,
} from '#core/did/did-org.ts'
import { createDidProof, didOfProof } from '#core/did/did-proof.ts'
import { addressOfPublicKey } from '#core/ethereum/account.ts'
import { verifyDidProof } from '#test/support/verify-did-proof.ts'

describe('findVerificationKey', () => {
  const { issuer, documentAt, now } = createTrustWorld()
  const document = zDidDocument.parse(documentAt(issuer.did, now))

  it('returns the key that a DID URL names', () => {
    const method = document.verificationMethod.find(({ id }) => id === issuer.kid)
    expect(findVerificationKey(document, issuer.kid)).toMatchObject({ x: method?.publicKeyJwk.x })
  })

  it('returns no key if two keys share a name, because the reference is ambiguous', () => {
    const { verificationMethod } = document
    const twice = {
      ...document,
      verificationMethod: [...verificationMethod, ...verificationMethod],
    }
    expect(findVerificationKey(twice, issuer.kid)).toBeUndefined()
  })

  it.each([undefined, null, 1, '', {}, ['x']])('returns no key for %j', (didUrl) => {
    expect(findVerificationKey(document, didUrl)).toBeUndefined()
  })
})

interface Vector {
  privateKey: string
  publicKey: string
  address: string
  vMethodId: string
  proof: string
  did: string
}
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('vectors/did-proof.json', import.meta.url), 'utf8'),
)

describe.each(vectors)('DID generation, known answers: $did', (vector) => {
  it('creates the proof, the DID, the vMethodId and the address', () => {
    const { proof, publicKey } = createDidProof(vector.privateKey)
    expect({ proof, publicKey }).toEqual({ proof: vector.proof, publicKey: vector.publicKey })
    expect(didOfProof(proof, 'pre')).toBe(vector.did)
    expect(didOfProof(proof, 'pro')).toBe(vector.did.replace('uc-pre:', 'uc:'))
    expect(verificationMethodIdOf(privateJwkFromHex(vector.privateKey))).toBe(vector.vMethodId)
    expect(addressOfPublicKey(publicKey)).toBe(vector.address)
  })

  it('the proof verifies, here and with ethers', () => {
    expect(verifyDidProof(vector.proof, vector.publicKey)).toBe(true)
    const digest = keccak256(`0x${vector.publicKey.slice(4)}`)
    expect(recoverAddress(digest, vector.proof)).toBe(vector.address)
  })

  it('rejects the proof of another key, a changed byte and an invalid v', () => {
    const other = vectors.find(({ did }) => did !== vector.did)?.publicKey ?? ''
    expect(verifyDidProof(vector.proof, other)).toBe(false)
    const changed = vector.proof.replace(/^0x../, '0x00')
    expect(verifyDidProof(changed, vector.publicKey)).toBe(false)
    expect(verifyDidProof(`${vector.proof.slice(0, -2)}1d`, vector.publicKey)).toBe(false)
    expect(verifyDidProof(vector.proof.slice(0, -2), vector.publicKey)).toBe(false)
    expect(verifyDidProof(vector.proof, '0x04')).toBe(false)
  })

  it('the high-S form of a proof fails, as it would give a second DID', () => {
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = n - BigInt(`0x${vector.proof.slice(66, 130)}`)
    const v = vector.proof.endsWith('1b') ? '1c' : '1b'
    const twin = `${vector.proof.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`
    expect(
      recoverAddress(keccak256(`0x${vector.publicKey.slice(4)}`), {
        r: `0x${vector.proof.slice(2, 66)}`,
        s: `0x${vector.proof.slice(66, 130)}`,
        v: vector.proof.endsWith('1b') ? 27 : 28,
      }),
    ).toBe(vector.address)
    expect(verifyDidProof(twin, vector.publicKey)).toBe(false)
  })
})

describe('identifiers', () => {
  const did = vectors[0]?.did ?? ''

  it('distinguishes the environments', () => {
    expect(parseDidOrg(did)?.environment).toBe('pre')
    expect(parseDidOrg(did.replace('uc-pre', 'uc'))?.environment).toBe('pro')
  })

  it.each([
    '',
    'did:org:uc-pre:',
    'did:org:xx:z1',
    `${did}#x`,
    `${did}/x`,
    `${did}0`,
    'did:key:z1',
  ])('rejects %s', (text) => {
    expect(parseDidOrg(text)).toBeUndefined()
  })

  it('accepts only 43 characters of strict base64url as a vMethodId', () => {
    const id = vectors[0]?.vMethodId ?? ''
    expect(isVerificationMethodId(id)).toBe(true)
    expect(isVerificationMethodId(id.slice(1))).toBe(false)
    expect(isVerificationMethodId(`${id.slice(0, -1)}=`)).toBe(false)
    // 43 characters whose left-over bits are not zero would be a second spelling of one id.
    expect(isVerificationMethodId('B'.repeat(43))).toBe(false)
  })

  it('splits a DID URL', () => {
    expect(parseDidUrl(`${did}#abc`)).toEqual({ did, fragment: 'abc' })
    expect(parseDidUrl(did)).toBeUndefined()
    expect(parseDidUrl(`${did}#a#b`)).toBeUndefined()
  })
})
