import { createHash, randomBytes } from 'node:crypto'
import { type CallbackContext, clientAuthenticationAnonymous } from '@openid4vc/oauth2'
import { verifyJWT } from 'did-jwt'
import { Resolver } from 'did-resolver'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { fetchWithTokenEndpoint } from '../fetch-with-token-endpoint.ts'
import { resolveOrgDidAt } from '../resolve-dids.ts'
import type { Account } from './open-store.ts'

export interface CallbackOptions {
  readonly account: Account
  /** Where the DIDs of verifiers are resolved. */
  readonly didRegistryUrl: string | undefined
}

const nothingIsEncrypted = () => {
  throw new Error('nothing is encrypted here')
}

/** What oid4vc-ts leaves to those who use it: signing, verifying, hashing and fetching. */
export function createCallbacks({ account, didRegistryUrl }: CallbackOptions): CallbackContext {
  const resolver = new Resolver({ org: resolveOrgDidAt(didRegistryUrl) })
  return {
    fetch: (url, init) =>
      fetchWithTokenEndpoint(url, { ...init, signal: AbortSignal.timeout(10_000) }),
    hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
    generateRandom: (length) => randomBytes(length),
    clientAuthentication: clientAuthenticationAnonymous(),
    decryptJwe: nothingIsEncrypted,
    encryptJwe: nothingIsEncrypted,
    async signJwt(_signer, { header, payload }) {
      const { d, ...signerJwk } = account.privateJwk
      const jwt = await new SignJWT({ ...payload } as JWTPayload)
        .setProtectedHeader(header as { alg: string })
        .sign(await importJWK(account.privateJwk, 'EdDSA'))
      return { jwt, signerJwk: signerJwk as { kty: string } }
    },
    async verifyJwt(signer, { compact, payload }) {
      if (signer.method !== 'did') return { verified: false }
      try {
        const [audience] = [payload.aud ?? []].flat()
        const { verified } = await verifyJWT(compact, { resolver, ...(audience && { audience }) })
        // The library requires a key here, but does not use it for a DID.
        return verified
          ? { verified, signerJwk: { kty: 'EC', crv: 'secp256k1' } }
          : { verified: false }
      } catch {
        return { verified: false }
      }
    },
  }
}
