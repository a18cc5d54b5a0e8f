import { createPrivateKey } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { setGlobalConfig } from '@openid4vc/oauth2'
import { Openid4vpVerifier } from '@openid4vc/openid4vp'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { keyOfDidKey, publicKeyOf, readToken, signToken, verifyToken } from '../peer-tokens.ts'
import type { DidDocument, LoginSetup } from './login-system.ts'

type AuthorizationRequest = Parameters<
  Openid4vpVerifier['createOpenId4vpAuthorizationRequest']
>[0]['authorizationRequestPayload']

/** One request for the credential, and the answer to it. */
export interface PeerVerifier {
  createRequest(options: {
    readonly responseUri: string
    readonly nonce: string
    readonly state: string
  }): AuthorizationRequest
  readonly clientId: string
  signRequest(request: AuthorizationRequest, requestUri: string): Promise<string>
  /** Verifies the presentation; returns its only credential, which is not verified here. */
  verifyResponse(
    form: Readonly<Record<string, string>>,
    request: AuthorizationRequest,
  ): Promise<{ readonly credential: string; readonly holderDid: string }>
}

const queryId = 'lear_credential'

const unused = () => {
  throw new Error('this callback is not needed')
}

/** oid4vc-ts with `node:crypto` behind its callbacks, in the form of OpenID4VP 1.0. */
export function createPeerVerifier({ verifierKid, verifierPrivateKey }: LoginSetup): PeerVerifier {
  setGlobalConfig({ allowInsecureUrls: true })
  const jwk = privateJwkFromHex(verifierPrivateKey)
  const privateKey = createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  const { d: _, ...signerJwk } = jwk
  const clientId = `decentralized_identifier:${verifierKid.split('#')[0]}`
  const verifier = new Openid4vpVerifier({
    callbacks: {
      hash: unused,
      decryptJwe: unused,
      encryptJwe: unused,
      verifyJwt: unused,
      signJwt: async (_signer, { header, payload }) => ({
        jwt: signToken(header, payload, privateKey),
        signerJwk: { ...signerJwk },
      }),
    },
  })
  return {
    clientId,
    createRequest: ({ responseUri, nonce, state }) => ({
      response_type: 'vp_token',
      response_mode: 'direct_post',
      response_uri: responseUri,
      client_id: clientId,
      nonce,
      state,
      dcql_query: {
        credentials: [
          {
            id: queryId,
            format: 'jwt_vc_json',
            meta: { type_values: [['OrgPortalLearCredential']] },
          },
        ],
      },
    }),

    async signRequest(request, requestUri) {
      const { jar } = await verifier.createOpenId4vpAuthorizationRequest({
        authorizationRequestPayload: request,
        jar: {
          requestUri,
          expiresInSeconds: 300,
          jwtSigner: { method: 'did', didUrl: verifierKid, alg: 'ES256K' },
        },
      })
      return jar?.authorizationRequestJwt ?? ''
    },

    async verifyResponse(form, request) {
      const parsed = await verifier.parseOpenid4vpAuthorizationResponse({
        authorizationRequestPayload: request,
        authorizationResponse: form,
        callbacks: { verifyJwt: unused, decryptJwe: unused },
      })
      if (parsed.type !== 'dcql') throw new Error('this does not answer a dcql_query')
      const [presentation] = parsed.dcql.presentations[queryId] ?? []
      return verifyPresentation(String(presentation), clientId, parsed.expectedNonce)
    },
  }
}

interface Presentation {
  readonly iss: string
  readonly aud: string
  readonly nonce: string
  readonly exp: number
  readonly vp: { readonly verifiableCredential: readonly string[] }
}

function verifyPresentation(presentation: string, audience: string, nonce: string) {
  const { kid } = readToken(presentation).header
  const key = keyOfDidKey(String(kid).split('#')[0] ?? '')
  const { payload } = verifyToken<Presentation>(presentation, key)
  check(payload.aud === audience, 'another audience')
  check(payload.nonce === nonce, 'another nonce')
  check(payload.exp > Date.now() / 1000, 'expired')
  return { credential: payload.vp.verifiableCredential[0] ?? '', holderDid: payload.iss }
}

interface Claims {
  readonly iss: string
  readonly iat: number
  readonly vc: {
    readonly credentialSubject: { readonly id: string; readonly encodedList: string }
    readonly termsOfUse: { readonly id: string }
    readonly credentialStatus: {
      readonly statusListCredential: string
      readonly statusListIndex: string
    }
  }
}

interface Attribute {
  readonly attribute: {
    readonly body: string
    readonly tao: string
    readonly attributeIdTao: string
    readonly issuerType: string
  }
}

/** Verifies a JWT with the key that its header names in the document. Throws if it does not match. */
function verifyWithDocument(jwt: string, { verificationMethod }: DidDocument) {
  const { kid } = readToken(jwt).header
  const method = verificationMethod.find(({ id }) => id === kid)
  if (method === undefined) throw new Error('no such key')
  return verifyToken<Claims>(jwt, publicKeyOf(method.publicKeyJwk)).payload
}

/** What the lean peer verifies: the credential's signature, with a document that it knows. */
export function verifyKnownIssuer<Credential>(
  credential: string,
  holderDid: string,
  document: DidDocument,
): Credential {
  const { vc } = verifyWithDocument(credential, document)
  check(vc.credentialSubject.id === holderDid, 'another holder')
  return vc as Credential
}

/**
 * What the peer verifies in addition to oid4vc-ts, which lacks the trust of the profile. It makes
 * the same requests as our verifier: the issuer's DID document then and now, each accreditation up
 * to the root with the DID document of its signer, and the status list. Throws if a check fails;
 * returns the `vc` claim.
 */
export async function verifyTrust<Credential>(
  credential: string,
  holderDid: string,
  trustUrl: string,
): Promise<Credential> {
  const { iss, iat, vc } = readToken<Claims>(credential).payload
  check(vc.credentialSubject.id === holderDid, 'another holder')
  const { statusListCredential, statusListIndex } = vc.credentialStatus
  const resolveNow = createResolver(trustUrl)
  const [document, list] = await Promise.all([
    createResolver(trustUrl, iat)(iss),
    fetchText(trustUrl + new URL(statusListCredential).pathname),
  ])
  verifyWithDocument(credential, document)
  const listIssuer = String(readToken(list).payload.iss)
  const { encodedList } = verifyWithDocument(list, await resolveNow(listIssuer)).vc
    .credentialSubject
  const bits = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'))
  const index = Number(statusListIndex)
  check(((bits[index >> 3] ?? 255) & (128 >> (index & 7))) === 0, 'revoked')

  let next = trustUrl + new URL(vc.termsOfUse.id).pathname
  for (let hops = 0; ; hops++) {
    check(hops < 8, 'too many hops')
    const { attribute } = JSON.parse(await fetchText(next)) as Attribute
    check(attribute.issuerType !== 'REVOKED', 'not accredited')
    const { iss: signer } = verifyWithDocument(attribute.body, await resolveNow(attribute.tao))
    check(signer === attribute.tao, 'the signer does not match')
    if (attribute.issuerType === 'RTAO') return vc as Credential
    const base = next.slice(0, next.indexOf('/v1/issuers/'))
    next = `${base}/v1/issuers/${attribute.tao}/attributes/${attribute.attributeIdTao}`
  }
}

/** The DID registry; requested once per document. */
function createResolver(trustUrl: string, validAt?: number) {
  const query = validAt === undefined ? '' : `?valid-at=${validAt}`
  const documents = new Map<string, Promise<DidDocument>>()
  const resolve = async (did: string) =>
    JSON.parse(
      await fetchText(`${trustUrl}/api/v1/identifiers/${encodeURIComponent(did)}${query}`),
    ) as DidDocument
  return (did: string): Promise<DidDocument> => {
    const document = documents.get(did) ?? resolve(did)
    documents.set(did, document)
    return document
  }
}

function check(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}

const fetchText = async (url: string) => (await fetch(url)).text()
