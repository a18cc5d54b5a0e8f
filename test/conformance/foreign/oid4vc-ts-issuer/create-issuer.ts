import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  type CallbackContext,
  clientAuthenticationNone,
  type Jwk,
  Oauth2AuthorizationServer,
  Oauth2ResourceServer,
} from '@openid4vc/oauth2'
import { Openid4vciIssuer, Openid4vciVersion } from '@openid4vc/openid4vci'
import { createJWT, ES256KSigner, verifyJWT } from 'did-jwt'
import { Resolver } from 'did-resolver'
import type { Request } from 'express'
import { exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { getResolver } from 'key-did-resolver'
import { resolveDidJwk } from '../shared-glue.ts'

export const configurationId = 'OrgPortalLearCredential'

/** What oid4vc-ts has of an issuer, with metadata of draft 11 and later, at an address. */
export async function createIssuer(baseUrl: string) {
  const callbacks = await createCallbacks(() => baseUrl)
  const issuer = new Openid4vciIssuer({ callbacks })
  const authorizationServer = new Oauth2AuthorizationServer({ callbacks })
  const credentialIssuer = issuer.createCredentialIssuerMetadata({
    credential_issuer: baseUrl,
    credential_endpoint: `${baseUrl}/credential`,
    // Draft 11 had no metadata of a separate authorization server in addition to the issuer's.
    token_endpoint: `${baseUrl}/token`,
    credential_configurations_supported: {
      [configurationId]: {
        id: configurationId,
        format: 'jwt_vc_json',
        credential_definition: { type: [...credentialTypes] },
        cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
        credential_signing_alg_values_supported: ['ES256K', 'EdDSA'],
      },
    },
  })
  const authorizationServerMetadata = authorizationServer.createAuthorizationServerMetadata({
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/token`,
    jwks_uri: `${baseUrl}/jwks`,
  })
  return {
    baseUrl,
    issuer,
    authorizationServer,
    resourceServer: new Oauth2ResourceServer({ callbacks }),
    authorizationServerMetadata,
    accessTokenJwk: callbacks.accessTokenJwk,
    issuerMetadata: {
      // The version of oid4vc-ts that the profile's messages are closest to.
      originalDraftVersion: Openid4vciVersion.Draft11,
      credentialIssuer,
      authorizationServers: [authorizationServerMetadata],
      knownCredentialConfigurations:
        issuer.getKnownCredentialConfigurationsSupported(credentialIssuer),
    },
    /** A request of Express as the packages take one. */
    requestLike: (request: Request) => ({
      headers: new Headers(request.headers as Record<string, string>),
      method: 'POST' as const,
      url: `${baseUrl}${request.url}`,
    }),
  }
}

export type Issuer = Awaited<ReturnType<typeof createIssuer>>

/** An offer and its result. */
interface Session {
  readonly pin?: string
  readonly expiresAt: Date
  /** There once the code is redeemed, and another one after each credential. */
  nonce?: string
}

export type Sessions = Map<string, Session>

interface IssuerCallbacks extends CallbackContext {
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
async function createCallbacks(audience: () => string): Promise<IssuerCallbacks> {
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

export interface IssuerIdentity {
  readonly issuerDid: string
  readonly issuerKid: string
  /** 0x-hex of 32 bytes, secp256k1. */
  readonly issuerPrivateKey: string
  /** Where the issuer's accreditation is. */
  readonly termsOfUseUrl: string
}

const credentialTypes = [
  'VerifiableCredential',
  'LEARCredential',
  'OrgPortalLearCredential',
] as const

/** Glue: oid4vc-ts delivers credentials and makes none. did-jwt signs this one. */
export function createCredential(identity: IssuerIdentity, holderDid: string): Promise<string> {
  const { issuerDid, issuerKid, issuerPrivateKey, termsOfUseUrl } = identity
  const now = Math.floor(Date.now() / 1000)
  const validUntil = now + 365 * 86_400
  const id = `urn:uuid:${randomUUID()}`
  const isoTime = (time: number) => new Date(time * 1000).toISOString()
  return createJWT(
    {
      sub: holderDid,
      jti: id,
      nbf: now,
      exp: validUntil,
      vc: {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        id,
        type: credentialTypes,
        issuer: issuerDid,
        validFrom: isoTime(now),
        validUntil: isoTime(validUntil),
        credentialSubject: { id: holderDid, mandate },
        termsOfUse: { id: termsOfUseUrl, type: 'TrustedIssuersRegistryEntry' },
      },
    },
    {
      issuer: issuerDid,
      signer: ES256KSigner(Buffer.from(issuerPrivateKey.replace(/^0x/, ''), 'hex')),
    },
    { alg: 'ES256K', kid: issuerKid },
  )
}

const mandate = {
  mandator: {
    organizationIdentifier: 'VATES-F11111111',
    organization: 'Foreign Organization',
    commonName: 'Erika Muster',
    country: 'ES',
    email: 'erika@foreign.example',
    serialNumber: 'IDCES-00000000T',
  },
  mandatee: {
    employeeId: '4711',
    email: 'erika@foreign.example',
    firstName: 'Erika',
    lastName: 'Muster',
  },
  power: [{ type: 'Domain', domain: 'PORTAL', function: 'Onboarding', action: ['Execute'] }],
}
