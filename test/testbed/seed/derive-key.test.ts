import { createHmac } from 'node:crypto'
import { Wallet } from 'ethers'
import { describe, expect, it } from 'vitest'
import { createEnvironmentKeys, deriveKey } from '#testbed/registries/environment-keys.ts'

describe('keys from the seed', () => {
  it('are HMAC-SHA-256 of the label, good for any Ethereum tool', () => {
    const key = deriveKey('seed', 'pre/operator')
    const expected = createHmac('sha256', 'seed').update('lear-testbed/pre/operator/0')
    expect(key).toBe(`0x${expected.digest('hex')}`)
    expect(new Wallet(key).privateKey).toBe(key)
  })

  it('are the same for the same seed, and differ by seed, environment and role', () => {
    const one = createEnvironmentKeys('seed', 'pre')
    expect(createEnvironmentKeys('seed', 'pre')).toEqual(one)
    const all = [one, createEnvironmentKeys('seed', 'pro'), createEnvironmentKeys('other', 'pre')]
    const keys = all.flatMap((each) => Object.values(each).map(({ privateKey }) => privateKey))
    expect(new Set(keys).size).toBe(18)
    expect(one.operator.address).toBe(new Wallet(one.operator.privateKey).address)
    expect(one.issuer.did).toMatch(/^did:org:uc-pre:z1/)
  })
})
