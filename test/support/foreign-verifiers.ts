import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type JWTPayload, verifyJWT } from 'did-jwt'
import { type DIDResolver, Resolver } from 'did-resolver'
import { getResolver } from 'key-did-resolver'
import { privateJwkFromHex, publicJwkOf } from '#core/crypto/jwk.ts'
import { issuerDid, issuerPrivateKey, issuerVMethodId } from './issuance.ts'

/**
 * Verifies what the issuer of the issuance system signed with did-jwt, which is independent of our
 * code. The issuer's key has the form of its DID document.
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
 * exp and iat are valid. Undefined if one of them is not.
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

/**
 * Returns the errors that ajv finds in a value under a JSON Schema (2020-12).
 * @throws if the schema is invalid
 */
export function validateAgainstSchema(schema: object, value: unknown): readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  validate(value)
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
  )
}

/** Validates the `vc` claim of a credential against the schema that it names. */
export async function validateCredential(credential: unknown): Promise<readonly string[]> {
  const payload = String(credential).split('.')[1] ?? ''
  const { vc } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const response = await fetch(vc.credentialSchema.id)
  return validateAgainstSchema((await response.json()) as object, vc)
}
