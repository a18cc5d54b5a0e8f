import { createHash, randomBytes } from 'node:crypto'
import {
  type CallbackContext,
  clientAuthenticationAnonymous,
  InvalidFetchResponseError,
  Oauth2ClientErrorResponseError,
  preAuthorizedCodeGrantIdentifier,
} from '@openid4vc/oauth2'
import { Openid4vciClient, Openid4vciRetrieveCredentialsError } from '@openid4vc/openid4vci'
import { verifyJWT } from 'did-jwt'
import { Resolver } from 'did-resolver'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { fetchWithTokenEndpoint, resolveOrgDidAt } from '../shared-glue.ts'
import type { Account, Store } from './open-store.ts'
import { present } from './present.ts'

export interface VerbOptions {
  readonly link?: string | undefined
  readonly pin?: string | undefined
}

/** The four verbs that drive a wallet under test; each returns its result as JSON. */
export function createVerbs(store: Store, didRegistryUrl: string | undefined) {
  const { account } = store
  const callbacks = createCallbacks({ account, didRegistryUrl })
  return {
    async 'accept-offer'({ link = '', pin }: VerbOptions) {
      await store.add(await acceptOffer({ callbacks, account, link, pin }))
      return {}
    },
    async present({ link = '' }: VerbOptions) {
      const { redirectUri } = await present({ callbacks, account, link, held: store.credentials() })
      return { redirect_uri: redirectUri }
    },
    async list() {
      return { did: account.did, credentials: store.credentials() }
    },
    async reset() {
      await store.clear()
      return {}
    },
  }
}

export type Verbs = ReturnType<typeof createVerbs>

export const isVerb = (name: string): name is keyof Verbs =>
  ['accept-offer', 'present', 'list', 'reset'].includes(name)

/** 1 if the wallet or its counterpart refused, 3 if a server failed or was not reached. */
export function exitCodeOf(error: unknown): 1 | 3 {
  // What fetch throws if there is no answer.
  if (error instanceof TypeError || !(error instanceof Error)) return 3
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 3
  const status = statusOf(error)
  return status === 429 || status >= 500 ? 3 : 1
}

function statusOf(error: unknown): number {
  if (error instanceof InvalidFetchResponseError) return error.response.status
  if (error instanceof Oauth2ClientErrorResponseError) return error.response.status
  if (error instanceof Openid4vciRetrieveCredentialsError) return error.response.response.status
  return 400
}

interface AcceptOfferOptions {
  readonly callbacks: CallbackContext
  readonly account: Account
  readonly link: string
  readonly pin: string | undefined
}

/** Takes the first credential of an offer by the pre-authorized code flow, as oid4vc-ts does it. */
async function acceptOffer(options: AcceptOfferOptions): Promise<string> {
  const { callbacks, account, link, pin } = options
  const client = new Openid4vciClient({ callbacks })
  const credentialOffer = await client.resolveCredentialOffer(link)
  const grant = credentialOffer.grants?.[preAuthorizedCodeGrantIdentifier]
  if (grant?.tx_code && pin === undefined) throw new Error('the offer requires a PIN')
  const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer)
  const { accessTokenResponse } = await client.retrievePreAuthorizedCodeAccessTokenFromOffer({
    credentialOffer,
    issuerMetadata,
    ...(grant?.tx_code && pin !== undefined && { txCode: pin }),
  })
  const [credentialConfigurationId = ''] = credentialOffer.credential_configuration_ids
  const nonce = issuerMetadata.credentialIssuer.nonce_endpoint
    ? (await client.requestNonce({ issuerMetadata })).c_nonce
    : accessTokenResponse.c_nonce
  const proof = await client.createCredentialRequestJwtProof({
    issuerMetadata,
    credentialConfigurationId,
    signer: { method: 'did', didUrl: account.didUrl, alg: 'EdDSA' },
    ...(nonce !== undefined && { nonce }),
    // Glue: becomes `iss`, which the profile wants to be the holder's DID. OpenID4VCI 1.0 leaves it
    // out where the token was obtained anonymously.
    clientId: account.did,
  })
  const { credentialResponse } = await client.retrieveCredentials({
    issuerMetadata,
    credentialConfigurationId,
    accessToken: accessTokenResponse.access_token,
    proof: { proof_type: 'jwt', jwt: proof.jwt },
  })
  const { credential, credentials } = credentialResponse
  const [first] = credentials ?? []
  const received = credential ?? (typeof first === 'object' ? first.credential : first)
  // Deferred issuance of the profile has an acceptance_token where the library knows none.
  if (typeof received !== 'string') throw new Error('no credential came')
  return received
}

interface CallbackOptions {
  readonly account: Account
  /** Where the DIDs of verifiers are resolved. */
  readonly didRegistryUrl: string | undefined
}

const nothingIsEncrypted = () => {
  throw new Error('nothing is encrypted here')
}

/** What oid4vc-ts leaves to those who use it: signing, verifying, hashing and fetching. */
function createCallbacks({ account, didRegistryUrl }: CallbackOptions): CallbackContext {
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
