import { computeAddress, getAddress, SigningKey } from 'ethers'
import { describe, expect, it } from 'vitest'
import {
  privateJwkFromHex,
  privateKeyHexOf,
  publicJwkFromHex,
  publicJwkOf,
  publicKeyHexOf,
} from '#core/crypto/jwk.ts'
import { addressOfPublicKey, checksumAddress } from '#core/ethereum/account.ts'

const privateKeys = [1, 2, 3, 0xabcdef].map((n) => `0x${n.toString(16).padStart(64, '0')}`)

describe('secp256k1 keys in the form that chain tools use', () => {
  it.each(privateKeys)('agrees with ethers on %s', (hex) => {
    const jwk = privateJwkFromHex(hex)
    expect(publicKeyHexOf(jwk)).toBe(new SigningKey(hex).publicKey)
    expect(addressOfPublicKey(jwk)).toBe(computeAddress(hex))
    expect(addressOfPublicKey(publicKeyHexOf(jwk))).toBe(computeAddress(hex))
    expect(publicJwkFromHex(publicKeyHexOf(jwk))).toEqual(publicJwkOf(jwk))
    expect(privateKeyHexOf(jwk)).toBe(hex)
  })

  it('writes the checksum of EIP-55', () => {
    // The examples of EIP-55.
    for (const address of [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    ]) {
      expect(checksumAddress(address.toLowerCase())).toBe(address)
      expect(getAddress(address)).toBe(address)
    }
  })

  it('refuses what is no key or address', () => {
    expect(publicJwkFromHex(`0x04${'11'.repeat(64)}`)).toBeUndefined()
    expect(publicJwkFromHex('0x04')).toBeUndefined()
    expect(() => addressOfPublicKey('0x04')).toThrow(TypeError)
    expect(() => checksumAddress('0x12')).toThrow(TypeError)
    expect(() => privateJwkFromHex(`0x${'0'.repeat(64)}`)).toThrow(TypeError)
    expect(() => privateJwkFromHex(`0x${'f'.repeat(64)}`)).toThrow(TypeError)
    expect(() => privateJwkFromHex('1'.repeat(64))).toThrow(TypeError)
  })
})
