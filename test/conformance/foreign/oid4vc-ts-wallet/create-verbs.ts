import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  type CallbackContext,
  clientAuthenticationAnonymous,
  InvalidFetchResponseError,
  Oauth2ClientErrorResponseError,
  preAuthorizedCodeGrantIdentifier,
} from '@openid4vc/oauth2'
import { Openid4vciClient, Openid4vciRetrieveCredentialsError } from '@openid4vc/openid4vci'
import { Openid4vpClient } from '@openid4vc/openid4vp'
import { verifyJWT } from 'did-jwt'
import { Resolver } from 'did-resolver'
import { decodeJwt, importJWK, type JWTPayload, SignJWT } from 'jose'
import { query as evaluateJsonPath, type JsonValue } from 'jsonpath-rfc9535'
import { z } from 'zod'
import { fetchWithTokenEndpoint, resolveOrgDidAt } from '../shared-glue.ts'
import type { Account, Store } from './open-store.ts'

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

export interface PresentOptions {
  readonly callbacks: CallbackContext
  readonly account: Account
  readonly link: string
  readonly held: readonly string[]
}

/** Presents one credential, as far as oid4vc-ts supports it; returns the address at which the browser continues. */
async function present(options: PresentOptions): Promise<{ redirectUri?: string }> {
  const { callbacks, account, link, held } = options
  const client = new Openid4vpClient({ callbacks })
  const { params } = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link })
  const resolved = await client.resolveOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: await withClientId(params),
  })
  const { authorizationRequestPayload: request, dcql, client: verifier } = resolved
  const { response_uri: responseUri } = z.looseObject({ response_uri: z.string() }).parse(request)
  if (!dcql) throw new Error('the request has no dcql_query')
  const { queryId, credential } = selectCredential(dcql.query, held)
  const now = Math.floor(Date.now() / 1000)
  // Glue: oid4vc-ts makes no presentations.
  const { jwt } = await callbacks.signJwt(
    { method: 'did', didUrl: account.didUrl, alg: 'EdDSA' },
    {
      header: { alg: 'EdDSA', typ: 'JWT', kid: account.didUrl },
      payload: {
        iss: account.did,
        aud: verifier.effective,
        nonce: request.nonce,
        iat: now,
        exp: now + 300,
        vp: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['VerifiablePresentation'],
          verifiableCredential: [credential],
        },
      },
    },
  )
  const { authorizationResponsePayload } = await client.createOpenid4vpAuthorizationResponse({
    authorizationRequestPayload: request,
    // Glue: with a dcql_query OpenID4VP 1.0 has a vp_token that is an object and no submission.
    authorizationResponsePayload: {
      vp_token: jwt,
      presentation_submission: createSubmission(queryId),
    },
  })
  const { response } = await client.submitOpenid4vpAuthorizationResponse({
    authorizationRequestPayload: { response_uri: responseUri },
    authorizationResponsePayload,
  })
  if (!response.ok) throw new Error(`the verifier answered ${response.status}`)
  const { data } = zAnswer.safeParse(await response.json().catch(() => undefined))
  return data ? { redirectUri: data.redirect_uri } : {}
}

const zAnswer = z.object({ redirect_uri: z.string() })

/**
 * Glue: the profile's links have only a request_uri, while the library also requires the client_id
 * and compares the two. It is taken from the request itself.
 */
async function withClientId<Params extends object>(
  params: Params & { readonly client_id?: unknown; readonly request_uri?: unknown },
): Promise<Params | { client_id: string; request: string }> {
  if (params.client_id !== undefined || typeof params.request_uri !== 'string') return params
  const response = await fetch(params.request_uri, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`the request_uri answers ${response.status}`)
  const request = await response.text()
  return { client_id: String(decodeJwt(request).client_id), request }
}

function createSubmission(queryId: string) {
  return {
    id: randomUUID(),
    definition_id: 'dcql_query',
    descriptor_map: [
      {
        id: queryId,
        format: 'jwt_vp',
        path: '$',
        path_nested: { id: queryId, format: 'jwt_vc', path: '$.vp.verifiableCredential[0]' },
      },
    ],
  }
}

const zQuery = z.looseObject({
  credentials: z.tuple([
    z.looseObject({
      id: z.string(),
      format: z.string(),
      meta: z.looseObject({ vct_values: z.array(z.string()).optional() }).optional(),
      claims: z.array(z.looseObject({ path: z.array(z.string()) })).optional(),
    }),
  ]),
})

const zCredential = z.looseObject({ type: z.array(z.string()) })

/**
 * Glue: oid4vc-ts leaves the query to the package dcql, and that one refuses `vct_values` for the
 * format jwt_vc_json and has no JSONPath, which the profile's queries consist of.
 */
function selectCredential(
  dcqlQuery: unknown,
  held: readonly string[],
): { queryId: string; credential: string } {
  const [wanted] = zQuery.parse(dcqlQuery).credentials
  if (wanted.format !== 'jwt_vc_json') throw new Error(`no credential of format ${wanted.format}`)
  const credential = held.find((jwt) => {
    const payload = decodeJwt(jwt)
    const { type: types } = zCredential.parse(payload.vc)
    const { meta, claims = [] } = wanted
    return (
      (meta?.vct_values?.some((type) => types.includes(type)) ?? true) &&
      claims.every(({ path: paths }) =>
        paths.every((path) => evaluateJsonPath(payload as JsonValue, path).length > 0),
      )
    )
  })
  if (credential === undefined) throw new Error('no credential matches the query')
  return { queryId: wanted.id, credential }
}
