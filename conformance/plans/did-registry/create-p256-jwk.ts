import { generateKeyPairSync } from 'node:crypto'

/** A new public key of P-256 as a JWK with `alg`. */
export function createP256Jwk(): Record<string, unknown> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...publicKey.export({ format: 'jwk' }), alg: 'ES256' }
}
