import type { CallbackContext } from '@openid4vc/oauth2'
import { Openid4vpVerifier } from '@openid4vc/openid4vp'

/** A presentation request by oid4vc-ts, as OpenID4VP 1.0 has it: its link and its parameters. */
export function createForeignRequest(callbacks: CallbackContext) {
  return new Openid4vpVerifier({ callbacks }).createOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: {
      response_type: 'vp_token',
      response_mode: 'direct_post',
      client_id: 'redirect_uri:https://verifier.example/response',
      response_uri: 'https://verifier.example/response',
      nonce: 'n',
      dcql_query: {
        credentials: [
          {
            id: 'lear',
            format: 'jwt_vc_json',
            meta: { type_values: [['OrgPortalLearCredential']] },
            claims: [{ path: ['credentialSubject', 'mandate'] }],
          },
        ],
      },
    },
  })
}
