import { verifyJWT } from 'did-jwt'
import { Resolver } from 'did-resolver'
import { privateJwkFromHex, publicJwkOf } from '#core/crypto/jwk.ts'
import { issuerDid, issuerPrivateKey, issuerVMethodId } from './issuance.ts'

/**
 * Verifies what the issuer of the issuance system signed by did-jwt, which knows nothing of our
 * code; the issuer's key is as its DID document would give it.
 */
export function verifyIssuedCredential(jwt: string) {
  const kid = `${issuerDid}#${issuerVMethodId}`
  const didDocument = {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: issuerDid,
    verificationMethod: [
      {
        id: kid,
        type: 'JsonWebKey2020',
        controller: issuerDid,
        publicKeyJwk: publicJwkOf(privateJwkFromHex(issuerPrivateKey)),
      },
    ],
    assertionMethod: [kid],
  }
  const resolver = new Resolver({
    org: async () => ({
      didResolutionMetadata: {},
      didDocument: didDocument as never,
      didDocumentMetadata: {},
    }),
  })
  return verifyJWT(jwt, { resolver, proofPurpose: 'assertionMethod' })
}
