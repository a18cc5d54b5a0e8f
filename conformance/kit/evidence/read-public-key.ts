import { createPublicKey } from 'node:crypto'
import { type PublicJwk, parsePublicJwk } from '#core/crypto/jwk.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'

/**
 * Reads a public key to hold signatures against: a JWK, or SPKI as PEM, of secp256k1, P-256 or
 * Ed25519.
 * @throws TestbedError `invalid_option` where it is none, and where it is a private key
 */
export function readPublicKey(text: string): PublicJwk {
  const key = parsePublicJwk(text.trim().startsWith('{') ? parse(text) : exportPem(text))
  if (key !== undefined) return key
  throw new TestbedError({
    code: 'invalid_option',
    status: 400,
    message: 'The public key cannot be read.',
    hints: ['A public JWK or SPKI in PEM, of Ed25519, P-256 or secp256k1; never a private key.'],
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function exportPem(text: string): unknown {
  // The library would derive the public key of a private one, which is nothing to hand out.
  if (/PRIVATE KEY/.test(text)) return undefined
  try {
    return createPublicKey(text).export({ format: 'jwk' })
  } catch {
    return undefined
  }
}
