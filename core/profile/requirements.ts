/** A requirement for requests to a service, and the rejection of requests that do not meet it. */
export interface Requirement {
  /** Name of the service in recorded exchanges. */
  readonly part: string
  readonly path: RegExp
  /** Of the status, the error's code and its description: `400 invalid_grant The tx_code is wrong.` */
  readonly error: RegExp
  /** Stable name, for example `issuance.power-authorized`. */
  readonly name: string
  readonly statement: string
  readonly fix: string
  /** The statement of the profile, or `PAGE.md#HEADING` if only a section describes it. */
  readonly place: string
  /** The member of the request in question. */
  readonly member?: string
}

const wallets = '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet'
const idp = '1.endpoints/credential-idp'

const issuer: readonly Omit<Requirement, 'part'>[] = [
  {
    path: /^\/issuance\//,
    error: /^401 .*invalid token/,
    name: 'issuance.bearer-token',
    statement:
      'The Bearer token has not expired, and its signature verifies with a key of the set at JWKS_URI.',
    fix: 'Log in at the token issuer again. If that does not help, check JWKS_URI of the issuer.',
    place: '1.authentication.1',
  },
  {
    path: /^\/issuance\/(notifications|claims)/,
    error: /^401/,
    name: 'issuance.api-key',
    statement: 'The header x-api-key has the API key of the connector.',
    fix: 'Configure the same key at the connector and at the issuer.',
    place: '1.authentication.2',
  },
  {
    path: /^\/issuance\/(representative|employee)/,
    error: /Missing required data or invalid powers/,
    name: 'issuance.required-data',
    statement:
      'The body has the powers, and for an employee the email; the token has its four required claims.',
    fix: 'Add the members that the error names. Each power has type, domain, function and at least one action.',
    place: '1.errors.2',
    member: 'power',
  },
  {
    path: /^\/issuance\/(representative|employee)/,
    error: /powers are not authorized for the organization/,
    name: 'issuance.power-authorized',
    statement: 'The requested powers are a subset of those that the organization may grant.',
    fix: 'Request only powers that the management API lists for the organization.',
    place: '1.resources-and-their-fields/power-object.6',
    member: 'power',
  },
  {
    path: /^\/issuance\/employee/,
    error: /mail server rejects this address/,
    name: 'issuance.recipient',
    statement: 'The mail server delivers to the address of the employee.',
    fix: 'Correct email.',
    place: '1.endpoints/credential-issuer.5',
    member: 'email',
  },
  {
    path: /\/credential\/revoke$/,
    error: /^404/,
    name: 'revocation.known-credential',
    statement: 'The issuer has a record with this credential_id.',
    fix: 'Take credential_id from the records of the organization (POST /issuance/credential).',
    place: '1.errors.5',
    member: 'credential_id',
  },
  {
    path: /\/credential\/revoke$/,
    error: /already revoked/,
    name: 'revocation.not-revoked',
    statement: 'The credential is not revoked yet.',
    fix: 'This cannot be fixed: a revocation is permanent.',
    place: '1.errors.6',
    member: 'credential_id',
  },
  {
    path: /^\/issuance\//,
    error: /^403/,
    name: 'issuance.own-organization',
    statement:
      'The token belongs to the organization of the records, and has the required power for a revocation.',
    fix: 'Log in as a representative of the organization that ordered the credential.',
    place: 'issuer.md#authentication',
    member: 'credential_id',
  },
]

const connector: readonly Omit<Requirement, 'part'>[] = [
  {
    path: /\/token$/,
    error: /tx_code|PIN/,
    name: 'token-request.tx-code',
    statement:
      'The request has the PIN of the offer as tx_code, if and only if the offer asks for one.',
    fix: 'Enter the PIN that the holder received separately from the offer.',
    place: `${wallets}.5`,
  },
  {
    path: /\/token$/,
    error: /expired/,
    name: 'token-request.lifetime',
    statement: 'The offer is redeemed before its lifetime ends, after 300 seconds by default.',
    fix: 'Request a new offer.',
    place: '1.states-and-transitions.5',
  },
  {
    path: /\/token$/,
    error: /^400/,
    name: 'token-request.code',
    statement: 'pre-authorized_code is the unused code of an offer of this issuer.',
    fix: 'Request a new offer, and send its code once, as a form with grant_type.',
    place: `${wallets}.5`,
  },
  {
    path: /\/(deferred_)?credential$/,
    error: /^401/,
    name: 'credential-request.access-token',
    statement: 'The header Authorization has the valid access token of the token response.',
    fix: 'Send the access token as Bearer, before expires_in has passed.',
    place: `${wallets}.8`,
  },
  {
    path: /\/credential$/,
    error: /unsupported_credential_type/,
    name: 'credential-request.types',
    statement: 'types are those of a credential in the offer.',
    fix: 'Copy types from the entry of credentials_supported that the offer names.',
    place: `${wallets}.9`,
    member: 'types',
  },
  {
    path: /\/deferred_credential$/,
    error: /acceptance_token/,
    name: 'deferred-request.acceptance-token',
    statement: 'acceptance_token is that of the credential response, and not redeemed yet.',
    fix: 'Send the acceptance_token of the last response. Once a credential is delivered, it is used.',
    place: `${wallets}.12`,
  },
  {
    path: /\/(deferred_)?credential$/,
    error: /credential_request_denied/,
    name: 'credential-request.offer',
    statement: 'The offer is still valid, and each of its credentials is requested once.',
    fix: 'Request a new offer.',
    place: `${wallets}.2`,
  },
  {
    path: /\/(deferred_)?credential$/,
    error: /^400/,
    name: 'credential-request.body',
    statement: 'The body has format, types and proof.',
    fix: 'Send format jwt_vc_json, types, and proof with proof_type jwt and the proof of possession.',
    place: `${wallets}.9`,
  },
]

const signIns: readonly Requirement[] = [
  {
    part: 'token-issuer',
    path: /^\/login\//,
    error: /^401/,
    name: 'sign-in.password',
    statement: 'User name and password are those of an account of the token issuer.',
    fix: 'Check user name and password. The seeded accounts are in testbed.json.',
    place: 'token-issuer.md#the-bearer-token',
    member: 'username',
  },
  {
    part: 'token-issuer',
    path: /^\/(login|broker)\//,
    error: /^4/,
    name: 'sign-in.pending',
    statement: 'The login is pending, and was started in this browser.',
    fix: 'Start the login again at the portal.',
    place: 'token-issuer.md#registration-at-the-idp',
  },
  {
    part: 'idp',
    path: /^\/accounts\/token$/,
    error: /^4/,
    name: 'idp.token-request',
    statement:
      'client_id, client_secret and redirect_uri are those of a registered client, and the code is unused.',
    fix: 'Compare them with the client in the admin panel of the IDP, and use each code once.',
    place: '1.errors.8',
    member: 'client_id',
  },
  {
    part: 'idp',
    path: /^\/accounts\/authorize/,
    error: /^4/,
    name: 'idp.authorization-request',
    statement:
      'The query names a registered client, one of its redirect URIs, and response_type code.',
    fix: 'Compare client_id and redirect_uri with the client in the admin panel of the IDP.',
    place: `${idp}.12`,
  },
  {
    part: 'idp',
    path: /^\/accounts\/userinfo$/,
    error: /^4/,
    name: 'idp.access-token',
    statement: 'The header Authorization has a valid access token with the scope openid.',
    fix: 'Log in again, and send the access token as Bearer.',
    place: '1.authentication.4',
  },
  {
    part: 'idp',
    path: /\/auth\/requests$/,
    error: /^404/,
    name: 'idp.session-code',
    statement: 'session is the code of a verification session.',
    fix: 'Take the code from the page with the QR code. Sessions are deleted some time after their end.',
    place: `${idp}.8`,
  },
  {
    part: 'verifier',
    path: /./,
    error: /^(404|410)/,
    name: 'response.session',
    statement: 'The presentation request is pending: it is neither answered nor expired.',
    fix: 'Open the login page again, and scan its new QR code.',
    place: 'verifier.md#response-endpoint',
  },
]

const registries: readonly Requirement[] = [
  {
    part: 'did-registry',
    path: /\/transactions\/send$/,
    error: /^400/,
    name: 'did-registry.transaction',
    statement:
      'The signature is that of the account the transaction was built for, its nonce is unused, and the account can pay for the gas.',
    fix: 'Build the transaction again, and sign it with the key of from.',
    place: '2.errors/did-registry.4',
  },
  {
    part: 'did-registry',
    path: /./,
    error: /^400/,
    name: 'did-registry.input',
    statement: 'Body and parameters have the documented members; publicKeyType P-256 is reserved.',
    fix: 'Correct the member that the error names.',
    place: '2.errors/did-registry.4',
  },
  {
    part: 'did-registry',
    path: /\/identifiers\//,
    error: /^404/,
    name: 'did-registry.registered',
    statement: 'The DID is registered, at the time of valid-at if it is given.',
    fix: 'Register the DID, or correct it: each environment has its own DIDs.',
    place: '2.errors/did-registry.5',
  },
  {
    part: 'did-registry',
    path: /./,
    error: /^406/,
    name: 'did-registry.accept',
    statement: 'Accept has a media type in which DID documents are served.',
    fix: 'Send one of the media types that the error names.',
    place: '2.errors/did-registry.6',
  },
  {
    part: 'tir',
    path: /\/jsonrpc$/,
    error: /^\d+ -32602/,
    name: 'tir.params',
    statement: 'The parameters are complete and valid, and the transaction can be sent.',
    fix: 'Correct the parameter that the error names. For a transaction, build and sign it again.',
    place: '2.errors/tir.4',
    member: 'method',
  },
  {
    part: 'tir',
    path: /\/jsonrpc$/,
    error: /^\d+ -32601/,
    name: 'tir.method',
    statement: 'method is one of the three methods of the TIR.',
    fix: 'Call setAttributeMetadata, setAttributeData or sendSignedTransaction.',
    place: '2.errors/tir.3',
    member: 'method',
  },
  {
    part: 'tir',
    path: /\/jsonrpc$/,
    error: /^(\d+ -32600|40[01])/,
    name: 'tir.request',
    statement: 'The request is valid JSON-RPC, and its x-api-key is known.',
    fix: 'Send jsonrpc, method, params and id, with an API key of the scope tir.',
    place: '2.errors/tir.2',
  },
  {
    part: 'tir',
    path: /\/attributes\//,
    error: /^404/,
    name: 'tir.published',
    statement: 'The TIR has this attribute of this DID.',
    fix: 'Publish the accreditation, or correct the address in termsOfUse.id.',
    place: '2.errors/tir.6',
  },
  {
    part: 'tir',
    path: /\/attributes\//,
    error: /^400/,
    name: 'tir.attribute-id',
    statement: 'attributeId has only hexadecimal digits.',
    fix: 'Write it without 0x, as 64 hexadecimal digits.',
    place: '2.errors/tir.7',
  },
]

/** More specific ones before those that cover the remaining rejections of an endpoint. */
export const requirements: readonly Requirement[] = [
  ...issuer.map((each) => ({ ...each, part: 'issuer' })),
  ...connector.map((each) => ({ ...each, part: 'connector' })),
  ...signIns,
  ...registries,
]
