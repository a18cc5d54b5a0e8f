import { describe, expect, it } from 'vitest'
import { parseBaseDocument } from '#services/did-registry/domain/base-document.ts'
import { parseJwkObject } from '#services/did-registry/domain/public-keys.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

// Anyone may write it to the chain, and JSON.stringify would exhaust the stack.
describe('data with thousands of levels', () => {
  it('is not accepted as a base document', () => {
    expect(parseBaseDocument(`{"@context":[{"a":${nested(5000)}}]}`)).toBeUndefined()
    expect(parseBaseDocument(`{"@context":[{"a":${nested(20)}}]}`)).toHaveLength(1)
  })

  it('is not accepted as a JWK', () => {
    const jwk = (levels: number) => Buffer.from(`{"kty":"EC","a":${nested(levels)}}`)
    expect(parseJwkObject(jwk(6000)).ok).toBe(false)
    expect(parseJwkObject(jwk(20)).ok).toBe(true)
  })
})
