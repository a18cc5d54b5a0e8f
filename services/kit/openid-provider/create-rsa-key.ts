import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { jwkThumbprint } from '#core/crypto/jwk-thumbprint.ts'

/** An RSA private key as oidc-provider and jose take it; signs with RS256 alone. */
export interface RsaPrivateJwk {
  readonly kty: 'RSA'
  readonly kid: string
  readonly alg: 'RS256'
  readonly use: 'sig'
  readonly n: string
  readonly e: string
  readonly d: string
  readonly p: string
  readonly q: string
  readonly dp: string
  readonly dq: string
  readonly qi: string
}

const generate = promisify(generateKeyPair)

/** A new key of 2048 bits, named by its RFC 7638 thumbprint. */
export async function createRsaKey(): Promise<RsaPrivateJwk> {
  // Made in the thread pool: it takes some hundred milliseconds and a service goes on meanwhile.
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' }) as Omit<RsaPrivateJwk, 'kid' | 'alg' | 'use'>
  const kid = jwkThumbprint({ kty: jwk.kty, n: jwk.n, e: jwk.e })
  return { ...jwk, kty: 'RSA', kid, alg: 'RS256', use: 'sig' }
}
