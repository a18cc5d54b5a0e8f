import { parseJws } from '#core/crypto/parse-jws.ts'
import { type DidEnvironment, parseDidOrg } from '#core/did/did-org.ts'
import { parseDidUrl } from '#core/did/verification-method-id.ts'

/**
 * The environment of the DID in a JWT's `kid`, for who was told of none; `pre` where that names no
 * DID of a registry. What the JWT says of itself proves nothing: its signature has to be verified.
 */
export function environmentOfSigner(jwt: string): DidEnvironment {
  const jws = parseJws(jwt)
  const kid = jws.ok ? jws.header.kid : undefined
  const did = typeof kid === 'string' ? parseDidUrl(kid)?.did : undefined
  return parseDidOrg(did ?? '')?.environment ?? 'pre'
}
