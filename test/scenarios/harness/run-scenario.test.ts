import { describe, expect, it } from 'vitest'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import { createSeededNames } from '#scenarios/harness/run-scenario.ts'

function take(seed: string, runId: string) {
  const { uniqueName, nextWalletSeed, nextBytes } = createSeededNames(seed, runId)
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  return [
    uniqueName,
    nextWalletSeed(),
    nextWalletSeed(),
    hex(nextBytes(31)),
    hex(nextBytes(31)),
    createUuidUrn({ seededBytes: nextBytes }),
    createUuidUrn({ seededBytes: nextBytes }),
  ]
}

describe('what a scenario takes from the seed', () => {
  it('is the same each time, and other for each call, seed and scenario', () => {
    const one = take('monday', 'login/pkce/EdDSA')
    expect(take('monday', 'login/pkce/EdDSA')).toEqual(one)
    const others = [take('tuesday', 'login/pkce/EdDSA'), take('monday', 'login/pkce/ES256K')]
    expect(new Set([one, ...others].flat()).size).toBe(3 * one.length)
  })

  it('has the length that was asked for', () => {
    const { nextBytes } = createSeededNames('monday', 'login/pkce/EdDSA')
    expect([1, 32, 100].map((length) => nextBytes(length).length)).toEqual([1, 32, 100])
  })

  it('makes UUIDs of version 4 (RFC 9562)', () => {
    const { nextBytes: seededBytes } = createSeededNames('monday', 'login/pkce/EdDSA')
    const form = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (let count = 0; count < 50; count++) expect(createUuidUrn({ seededBytes })).toMatch(form)
  })
})
