import { type JWTPayload, verifyJWT } from 'did-jwt'
import { type DIDResolver, Resolver } from 'did-resolver'
import { getResolver } from 'key-did-resolver'

const resolveDidJwk: DIDResolver = async (did) => {
  const publicKeyJwk = JSON.parse(Buffer.from(did.slice(8), 'base64url').toString())
  const id = `${did}#0`
  return {
    didResolutionMetadata: { contentType: 'application/did+json' },
    didDocumentMetadata: {},
    didDocument: {
      id: did,
      verificationMethod: [{ id, type: 'JsonWebKey2020', controller: did, publicKeyJwk }],
      authentication: [id],
      assertionMethod: [id],
    },
  }
}

const resolver = new Resolver({ ...getResolver(), jwk: resolveDidJwk })

/**
 * What did-jwt, with key-did-resolver behind it, reads out of a holder's JWT: signature, audience,
 * exp and iat hold. Undefined where one of them does not.
 */
export async function verifyWithForeignLibrary(
  jwt: string,
  audience: string,
): Promise<{ header: Record<string, unknown>; payload: JWTPayload } | undefined> {
  try {
    const { payload } = await verifyJWT(jwt, { resolver, audience })
    const [header = ''] = jwt.split('.')
    return { header: JSON.parse(Buffer.from(header, 'base64url').toString()), payload }
  } catch {
    return undefined
  }
}
