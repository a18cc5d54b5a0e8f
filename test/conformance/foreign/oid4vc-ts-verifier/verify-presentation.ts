import { verifyJWT } from 'did-jwt'
import { Resolver } from 'did-resolver'
import { getResolver } from 'key-did-resolver'
import { resolveDidJwk, resolveOrgDidAt } from '../resolve-dids.ts'

export interface ExpectedPresentation {
  readonly audience: string
  readonly nonce: string
  readonly didRegistryUrl: string
}

/**
 * Glue: oid4vc-ts hands presentations over and does not verify them. did-jwt verifies the signature,
 * the times and the audience of the presentation, and signature and times of the credential in it.
 * @throws if one of these is not valid
 */
export async function verifyPresentation(
  presentation: string,
  { audience, nonce, didRegistryUrl }: ExpectedPresentation,
): Promise<void> {
  const resolver = new Resolver({
    ...getResolver(),
    jwk: resolveDidJwk,
    org: resolveOrgDidAt(didRegistryUrl),
  })
  const holder = await verifyJWT(presentation, { resolver, audience })
  if (holder.payload.nonce !== nonce) throw new Error('a different nonce')
  const [credential] = holder.payload.vp.verifiableCredential
  const issued = await verifyJWT(String(credential), { resolver })
  if (issued.payload.sub !== holder.issuer)
    throw new Error('the credential has a different subject')
}
