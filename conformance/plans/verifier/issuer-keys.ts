import { randomBytes } from 'node:crypto'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import type { Party, TrustWorld } from '../../world/create-trust-world.ts'

/** Ends all uses of a party's key: it was revoked, or has expired. Unix seconds, the last one it holds. */
export function endKey({ keyUses }: TrustWorld, { kid }: Party, notAfter: number): void {
  for (const use of keyUses.filter((each) => each.kid === kid)) use.notAfter = notAfter
}

/** The party with a further key for assertions, which holds from then on. */
export function addKey(world: TrustWorld, party: Party, notBefore: number): Party {
  const privateKey = createPrivateJwk('secp256k1', randomBytes(32))
  const kid = `${party.did}#${verificationMethodIdOf(privateKey)}`
  Object.assign(world.use(kid, privateKey, 'assertionMethod'), { notBefore })
  return { ...party, kid, privateKey }
}
