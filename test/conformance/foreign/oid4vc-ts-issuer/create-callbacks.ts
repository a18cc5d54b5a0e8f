import { createHash, randomBytes } from 'node:crypto'
import { type CallbackContext, clientAuthenticationNone, type Jwk } from '@openid4vc/oauth2'
import { verifyJWT } from 'did-jwt'
import { Resolver } from 'did-resolver'
import { exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { getResolver } from 'key-did-resolver'
import { resolveDidJwk } from '../resolve-dids.ts'

export interface IssuerCallbacks extends CallbackContext {
  /** Signs the access tokens. */
  readonly accessTokenJwk: Jwk
}

const nothingIsEncrypted = () => {
  throw new Error('nothing is encrypted here')
}

const resolver = new Resolver({
  ...getResolver(),
  jwk: resolveDidJwk,
})

/** What oid4vc-ts leaves to those who use it. Proofs are verified by did-jwt. */
export async function createCallbacks(audience: () => string): Promise<IssuerCallbacks> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA')
  const accessTokenJwk = { ...(await exportJWK(publicKey)), kid: 'access', alg: 'EdDSA' } as Jwk
  return {
    accessTokenJwk,
    hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
    generateRandom: (length) => randomBytes(length),
    clientAuthentication: clientAuthenticationNone({ clientId: 'none' }),
    decryptJwe: nothingIsEncrypted,
    encryptJwe: nothingIsEncrypted,
    // A resource server fetches the key set of its authorization server, which is this process.
    fetch: async () => Response.json({ keys: [accessTokenJwk] }),
    async signJwt(_signer, { header, payload }) {
      const jwt = await new SignJWT({ ...payload } as JWTPayload)
        .setProtectedHeader(header as { alg: string })
        .sign(privateKey)
      return { jwt, signerJwk: accessTokenJwk }
    },
    async verifyJwt(signer, { compact }) {
      try {
        if (signer.method === 'did') await verifyJWT(compact, { resolver, audience: audience() })
        else await jwtVerify(compact, publicKey, { algorithms: ['EdDSA'] })
        return { verified: true, signerJwk: accessTokenJwk }
      } catch {
        return { verified: false }
      }
    },
  }
}
