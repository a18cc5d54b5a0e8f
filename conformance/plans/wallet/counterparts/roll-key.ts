import { randomBytes } from 'node:crypto'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'

/**
 * Puts a new issuer into a trust world whose key was rolled: the old one, which is given back, ended
 * at that time (Unix seconds), and a new one has been there for long.
 */
export function rollKey(world: TrustWorld, { endedAt }: { readonly endedAt: number }): Party {
  const issuer = registerIssuer(world)
  for (const use of world.keyUses) if (use.kid === issuer.kid) use.notAfter = endedAt
  const key = createPrivateJwk('secp256k1', randomBytes(32))
  world.use(`${issuer.did}#${verificationMethodIdOf(key)}`, key, 'assertionMethod')
  return issuer
}
