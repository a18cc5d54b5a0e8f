import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { findVerificationKey, zDidDocument } from '#core/did/did-document.ts'

describe('findVerificationKey', () => {
  const { issuer, documentAt, now } = createTrustWorld()
  const document = zDidDocument.parse(documentAt(issuer.did, now))

  it('gives the key that a DID URL names', () => {
    const method = document.verificationMethod.find(({ id }) => id === issuer.kid)
    expect(findVerificationKey(document, issuer.kid)).toMatchObject({ x: method?.publicKeyJwk.x })
  })

  it('gives none where two keys go by one name: which of them is meant can not be told', () => {
    const { verificationMethod } = document
    const twice = {
      ...document,
      verificationMethod: [...verificationMethod, ...verificationMethod],
    }
    expect(findVerificationKey(twice, issuer.kid)).toBeUndefined()
  })

  it.each([undefined, null, 1, '', {}, ['x']])('gives none for %j', (didUrl) => {
    expect(findVerificationKey(document, didUrl)).toBeUndefined()
  })
})
