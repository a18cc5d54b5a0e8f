import { defaultHolderSuites } from '#core/crypto/suites.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { type IssuerBehaviour, membersAt } from './issuer-behaviour.ts'

/** The secrets of one issuer session. */
export interface IssuerSecrets {
  readonly preAuthorizedCode: string
  readonly accessToken: string
  /** The c_nonce of the token response. */
  readonly cNonce: string
}

const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

/** Creates the offer, the metadata and the token response of an issuer with the given behaviour. */
export function createIssuerMessages(
  credentialIssuer: string,
  { preAuthorizedCode, accessToken, cNonce }: IssuerSecrets,
  behaviour: IssuerBehaviour,
) {
  return {
    offer: {
      credential_issuer: credentialIssuer,
      credentials: ['OrgPortalLearCredential'],
      grants: {
        [preAuthorizedCodeGrant]: {
          'pre-authorized_code': preAuthorizedCode,
          ...txCodeOf(behaviour),
          ...behaviour.grant,
        },
        ...behaviour.otherGrants,
      },
      ...membersAt(behaviour.offer, credentialIssuer),
    },
    metadata: {
      credential_issuer: credentialIssuer,
      credential_endpoint: `${credentialIssuer}/credential`,
      credentials_supported: [
        {
          format: 'jwt_vc_json',
          id: 'OrgPortalLearCredential',
          types,
          cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
          cryptographic_suites_supported: [...defaultHolderSuites],
          ...behaviour.entry,
        },
      ],
      ...membersAt(behaviour.metadata, credentialIssuer),
    },
    token: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 86_400,
      c_nonce: cNonce,
      c_nonce_expires_in: 86_400,
      ...behaviour.token,
    },
  }
}

function txCodeOf({ pin, inputMode }: IssuerBehaviour) {
  if (pin === undefined) return {}
  const input_mode = inputMode ?? (/^\d+$/.test(pin) ? 'numeric' : 'text')
  return { tx_code: { length: pin.length, input_mode, description: 'The PIN that you received' } }
}
