import { setGlobalConfig } from '@openid4vc/oauth2'
import { Openid4vpVerifier } from '@openid4vc/openid4vp'
import { base58 } from '@scure/base'
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

/** One request for the credential, and what came back for it. */
export interface PeerVerifier {
  createRequest(options: {
    readonly responseUri: string
    readonly nonce: string
    readonly state: string
  }): AuthorizationRequest
  readonly clientId: string
  signRequest(request: AuthorizationRequest, requestUri: string): Promise<string>
  /** Verifies the presentation; gives its one credential, which is not verified here. */
  verifyResponse(
    form: Readonly<Record<string, string>>,
    request: AuthorizationRequest,
  ): Promise<{ readonly credential: string; readonly holderDid: string }>
}

const queryId = 'lear_credential'

const unused = () => {
  throw new Error('no such callback is needed here')
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
      if (parsed.type !== 'dcql') throw new Error('this answers no dcql_query')
      const [presentation] = parsed.dcql.presentations[queryId] ?? []
      return verifyPresentation(String(presentation), clientId, parsed.expectedNonce)
    },
  }
}

async function verifyPresentation(presentation: string, audience: string, nonce: string) {
  const { payload } = await jwtVerify<{ vp: { verifiableCredential: string[] } }>(
    presentation,
    // Ed25519 in a did:key: two bytes say so.
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
