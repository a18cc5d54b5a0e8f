import { gunzipSync } from 'node:zlib'
import { setGlobalConfig } from '@openid4vc/oauth2'
import { Openid4vpVerifier } from '@openid4vc/openid4vp'
import { base58 } from '@scure/base'
import { decodeJWT, verifyJWT } from 'did-jwt'
import { type DIDDocument, Resolver } from 'did-resolver'
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'

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

/** oid4vc-ts with jose behind its callbacks, in the form of OpenID4VP 1.0. */
export async function createPeerVerifier(): Promise<PeerVerifier> {
  setGlobalConfig({ allowInsecureUrls: true })
  const { publicKey, privateKey } = await generateKeyPair('EdDSA')
  const signerJwk = (await exportJWK(publicKey)) as { kty: string }
  const did = `did:jwk:${Buffer.from(JSON.stringify(signerJwk)).toString('base64url')}`
  const clientId = `decentralized_identifier:${did}`
  const verifier = new Openid4vpVerifier({
    callbacks: {
      hash: unused,
      decryptJwe: unused,
      encryptJwe: unused,
      verifyJwt: unused,
      signJwt: async (_signer, { header, payload }) => ({
        jwt: await new SignJWT(payload as JWTPayload)
          .setProtectedHeader(header as JWTHeaderParameters)
          .sign(privateKey),
        signerJwk,
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
          jwtSigner: { method: 'did', didUrl: `${did}#0`, alg: 'EdDSA' },
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

async function verifyPresentation(presentation: string, audience: string, nonce: string) {
  const { payload } = await jwtVerify<{ vp: { verifiableCredential: string[] } }>(
    presentation,
    // Ed25519 in a did:key: two prefix bytes identify it.
    async ({ kid = '' }) => {
      const x = base58.decode(kid.slice('did:key:z'.length, kid.indexOf('#'))).subarray(2)
      return importJWK(
        { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(x).toString('base64url') },
        'EdDSA',
      )
    },
    { audience, algorithms: ['EdDSA'] },
  )
  if (payload.nonce !== nonce) throw new Error('another nonce')
  return { credential: payload.vp.verifiableCredential[0] ?? '', holderDid: payload.iss ?? '' }
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

/**
 * What the peer's verifier checks, with did-jwt, in addition to oid4vc-ts, which lacks the
 * algorithm of the profile. It makes the same requests as our verifier: the issuer's DID document
 * then and now, each accreditation up to the root with the DID document of its signer, and the
 * status list. Throws if a check fails; returns the `vc` claim.
 */
export async function verifyWithDidJwt<Credential>(
  credential: string,
  holderDid: string,
  trustUrl: string,
): Promise<Credential> {
  const { iat, vc } = decodeJWT(credential).payload as unknown as Claims
  check(vc.credentialSubject.id === holderDid, 'another holder')
  const { statusListCredential, statusListIndex } = vc.credentialStatus
  const now = createResolver(trustUrl)
  const [, list] = await Promise.all([
    verifyJWT(credential, { resolver: createResolver(trustUrl, iat) }),
    fetchText(trustUrl + new URL(statusListCredential).pathname),
  ])
  const { payload } = await verifyJWT(list, { resolver: now })
  const { encodedList } = (payload as unknown as Claims).vc.credentialSubject
  const bits = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'))
  const index = Number(statusListIndex)
  check(((bits[index >> 3] ?? 255) & (128 >> (index & 7))) === 0, 'revoked')

  let next = trustUrl + new URL(vc.termsOfUse.id).pathname
  for (let hops = 0; ; hops++) {
    check(hops < 8, 'too many hops')
    const { attribute } = JSON.parse(await fetchText(next)) as Attribute
    check(attribute.issuerType !== 'REVOKED', 'not accredited')
    const body = Buffer.from(attribute.body, 'base64url').toString()
    const { issuer } = await verifyJWT(body, { resolver: now })
    check(issuer === attribute.tao, 'the signer does not match')
    if (attribute.issuerType === 'RTAO') return vc as Credential
    const base = next.slice(0, next.indexOf('/v1/issuers/'))
    next = `${base}/v1/issuers/${attribute.tao}/attributes/${attribute.attributeIdTao}`
  }
}

/** The DID registry; requested once per document. */
function createResolver(trustUrl: string, validAt?: number): Resolver {
  const query = validAt === undefined ? '' : `?valid-at=${validAt}`
  const resolve = async (did: string) => {
    const text = await fetchText(
      `${trustUrl}/api/v1/identifiers/${encodeURIComponent(did)}${query}`,
    )
    return {
      didResolutionMetadata: { contentType: 'application/did+ld+json' },
      didDocumentMetadata: {},
      didDocument: JSON.parse(text) as DIDDocument,
    }
  }
  return new Resolver({ org: resolve }, { cache: true })
}

function check(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}

const fetchText = async (url: string) => (await fetch(url)).text()
