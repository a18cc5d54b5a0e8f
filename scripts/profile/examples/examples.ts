import type { Hop } from '#scenarios/harness/z-control-answers.ts'

/** An example of the profile: an exchange of a scenario, and what it holds in encoded form. */
export interface Example {
  /** What the marker in the page calls it. */
  readonly id: string
  /** A sentence before the messages. */
  readonly text: string
  /** `suite/name/algorithm`. */
  readonly scenario: string
  /** Matches `FROM TO METHOD PATH` of the exchange. */
  readonly exchange: RegExp
  /** Selects among the exchanges that match; by default the first. */
  readonly where?: (hop: Hop) => boolean
  /** Set if the example is the receipt of the transaction that the exchange sends. */
  readonly readsReceipt?: boolean
  /** Set if the request has an access token in its `Authorization` header. */
  readonly isAuthorized?: boolean
  /** Further headers that traces do not record. */
  readonly headers?: Readonly<Record<string, string>>
  /** What the page shows of a longer body. */
  readonly shorten?: (body: unknown) => unknown
  /** Members in encoded form, decoded below the messages: a JWT, or a value. */
  readonly decoded?: readonly Decoded[]
  /** Set if only the decoded parts appear. */
  readonly isDecodedOnly?: boolean
}

interface Decoded {
  readonly text: string
  readonly read: (hop: Hop) => unknown
}

const apiKey = { 'x-api-key': 'k3Yb0pWm9T…' }

/** Reads a member of a body by its path. */
const at =
  (body: 'requestBody' | 'responseBody', ...path: (string | number)[]) =>
  (hop: Hop): unknown =>
    path.reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], hop[body])

const calls = (method: string) => (hop: Hop) => at('requestBody', 'method')(hop) === method
const fromHex = (value: unknown) => Buffer.from(String(value).slice(2), 'hex').toString()

function keepFirstLog(body: unknown): unknown {
  const { receipt, ...rest } = body as { receipt: { logs: unknown[] } }
  return { ...rest, receipt: { ...receipt, logs: receipt.logs.slice(0, 1) } }
}

const representative = 'issuance/representative/ES256K'
const records = 'issuance/record-life/ES256K'
const deferred = 'deferred/not-ready/ES256K'
const login = 'login/session-succeeds-once/EdDSA'
const registration = 'key-lifecycle/register-and-resolve/ES256K'
const chain = 'trust-chain/own-chain/ES256K'

const jsonRpc = /^tao tir POST \/trusted-issuers-registry\/v1\/jsonrpc$/
const presentation = /^wallet verifier POST \/responses\//

/** In the order in which values get their placeholders. */
export const examples: readonly Example[] = [
  // The issuer
  {
    id: 'representative',
    text: 'A portal requests a credential for its user. The response is the QR code.',
    scenario: representative,
    exchange: /^portal issuer POST \/issuance\/representative$/,
    isAuthorized: true,
  },
  {
    id: 'employee',
    text: 'A portal requests a credential for an employee, who gets the QR code by mail.',
    scenario: 'employee/by-mail/ES256K',
    exchange: /^portal issuer POST \/issuance\/employee$/,
    isAuthorized: true,
  },
  {
    id: 'identifiers',
    text: 'A portal asks which types a subject may have.',
    scenario: 'issuance/identifiers/ES256K',
    exchange: /^portal issuer POST \/issuance\/identifiers$/,
    isAuthorized: true,
  },
  {
    id: 'records',
    text: 'A portal lists the records of its organization, here only the newest.',
    scenario: records,
    exchange: /^portal issuer POST \/issuance\/credential$/,
    where: (hop) => at('responseBody', 0, 'status')(hop) === 'issued',
    isAuthorized: true,
    shorten: (body) => (body as unknown[]).slice(0, 1),
  },
  {
    id: 'revoke',
    text: 'A portal revokes a credential.',
    scenario: records,
    exchange: /^portal issuer POST \/issuance\/credential\/revoke$/,
    isAuthorized: true,
  },
  {
    id: 'revoke-again',
    text: 'The portal revokes the same credential again.',
    scenario: records,
    exchange: /^portal issuer POST \/issuance\/credential\/revoke$/,
    where: ({ status }) => status === 400,
    isAuthorized: true,
  },
  // The connector
  {
    id: 'order-offer',
    text: 'The issuer requests an offer.',
    scenario: representative,
    exchange: /^issuer connector POST \/preauth-code$/,
    headers: apiKey,
  },
  {
    id: 'offer',
    text: 'A wallet fetches the offer that a link refers to.',
    scenario: 'issuance/offer-by-reference/ES256K',
    exchange: /^wallet connector GET \/offers\//,
  },
  {
    id: 'issuer-metadata',
    text: 'A wallet fetches the metadata.',
    scenario: representative,
    exchange: /^wallet connector GET \/\.well-known\/openid-credential-issuer$/,
  },
  {
    id: 'issuer-token',
    text: 'A wallet exchanges the code of an offer for an access token.',
    scenario: representative,
    exchange: /^wallet connector POST \/token$/,
  },
  {
    id: 'credential',
    text: 'The wallet requests the credential and proves possession of its key.',
    scenario: representative,
    exchange: /^wallet connector POST \/credential$/,
    isAuthorized: true,
  },
  {
    id: 'proof',
    text: '',
    scenario: representative,
    exchange: /^wallet connector POST \/credential$/,
    isDecodedOnly: true,
    decoded: [{ text: 'The proof of the request above:', read: at('requestBody', 'proof', 'jwt') }],
  },
  {
    id: 'claims',
    text: 'The connector asks for the claims of the credential. `subject_claims` repeats `claims`.',
    scenario: representative,
    exchange: /^connector issuer POST \/issuance\/claims$/,
    headers: apiKey,
    shorten: (body) => ({ ...(body as object), subject_claims: { mandate: '…' } }),
  },
  {
    id: 'notification',
    text: 'The connector confirms that the wallet has the credential.',
    scenario: representative,
    exchange: /^connector issuer POST \/issuance\/notifications$/,
    headers: apiKey,
  },
  {
    id: 'credential-deferred',
    text: 'The credential is not ready.',
    scenario: deferred,
    exchange: /^wallet connector POST \/credential$/,
    isAuthorized: true,
  },
  {
    id: 'deferred-pending',
    text: 'The wallet asks for the credential, which is not ready yet.',
    scenario: deferred,
    exchange: /^wallet connector POST \/deferred_credential$/,
  },
  {
    id: 'deferred-ready',
    text: 'The credential is ready.',
    scenario: 'deferred/ready-at-once/ES256K',
    exchange: /^wallet connector POST \/deferred_credential$/,
  },
  // The credential
  {
    id: 'credential-jwt',
    text: '',
    scenario: representative,
    exchange: /^wallet connector POST \/credential$/,
    isDecodedOnly: true,
    decoded: [
      { text: 'A credential, header and payload:', read: at('responseBody', 'credential') },
    ],
  },
  {
    id: 'status-list',
    text: 'A wallet fetches the status list to which `credentialStatus` refers.',
    scenario: representative,
    exchange: /^wallet issuer GET \/credentials\/status\/1$/,
    decoded: [{ text: 'The list, decoded:', read: ({ responseBody }) => responseBody }],
  },
  // A login
  {
    id: 'discovery',
    text: 'A relying party reads the discovery document.',
    scenario: login,
    exchange: /^relying-party idp GET \/\.well-known\/openid-configuration$/,
  },
  {
    id: 'authorize',
    text: 'A relying party sends the browser of its user to the IDP, with PKCE.',
    scenario: login,
    exchange: /^browser idp GET \/accounts\/authorize$/,
  },
  {
    id: 'session-pending',
    text: 'The page asks for the status while the wallet has not answered.',
    scenario: login,
    exchange: /^browser idp GET \/idp\/api\/auth\/requests$/,
    where: (hop) => at('responseBody', 'status')(hop) === 'PENDING',
  },
  {
    id: 'request-object',
    text: 'A wallet fetches the request to which the link refers.',
    scenario: login,
    exchange: /^wallet verifier GET \/requests\//,
    decoded: [{ text: 'The request, decoded:', read: ({ responseBody }) => responseBody }],
  },
  {
    id: 'presentation',
    text: 'The wallet posts the presentation.',
    scenario: login,
    exchange: presentation,
  },
  {
    id: 'vp-token',
    text: '',
    scenario: login,
    exchange: presentation,
    isDecodedOnly: true,
    decoded: [{ text: 'A presentation, decoded:', read: at('requestBody', 'vp_token') }],
  },
  {
    id: 'presentation-submission',
    text: '',
    scenario: login,
    exchange: presentation,
    isDecodedOnly: true,
    decoded: [
      {
        text: 'For a query with one credential:',
        read: (hop) => JSON.parse(String(at('requestBody', 'presentation_submission')(hop))),
      },
    ],
  },
  {
    id: 'verdict',
    text: 'The verifier reports that the credential passed every rule.',
    scenario: login,
    exchange: /^verifier idp POST \/idp\/api\/auth\/results$/,
    headers: apiKey,
  },
  {
    id: 'session-success',
    text: 'The page asks again after the presentation.',
    scenario: login,
    exchange: /^browser idp GET \/idp\/api\/auth\/requests$/,
    where: (hop) => at('responseBody', 'status')(hop) === 'SUCCESS',
  },
  {
    id: 'session-failed',
    text: 'The page asks after the presentation of a credential that is revoked.',
    scenario: 'revocation/login-after-revocation/EdDSA',
    exchange: /^browser idp GET \/idp\/api\/auth\/requests$/,
    where: (hop) => at('responseBody', 'status')(hop) === 'FAILED',
  },
  {
    id: 'verdict-failed',
    text: '',
    scenario: 'revocation/login-after-revocation/EdDSA',
    exchange: /^verifier idp POST \/idp\/api\/auth\/results$/,
    where: (hop) => at('requestBody', 'status')(hop) === 'FAILED',
    isDecodedOnly: true,
    decoded: [
      {
        text: 'The body of the report if the credential is revoked:',
        read: ({ requestBody }) => requestBody,
      },
    ],
  },
  {
    id: 'code',
    text: 'The IDP redirects the browser to the relying party.',
    scenario: login,
    exchange: /^browser idp GET \/accounts\/authorize\//,
  },
  {
    id: 'idp-token',
    text: 'The relying party exchanges the code for tokens.',
    scenario: login,
    exchange: /^relying-party idp POST \/accounts\/token$/,
  },
  {
    id: 'id-token',
    text: '',
    scenario: login,
    exchange: /^relying-party idp POST \/accounts\/token$/,
    isDecodedOnly: true,
    decoded: [{ text: 'An ID token, decoded:', read: at('responseBody', 'id_token') }],
  },
  {
    id: 'userinfo',
    text: 'The relying party reads the claims with the access token.',
    scenario: 'login/userinfo/EdDSA',
    exchange: /^relying-party idp GET \/accounts\/userinfo$/,
    isAuthorized: true,
  },
  {
    id: 'bearer-token',
    text: 'A portal exchanges the code of a login for the Bearer token.',
    scenario: 'broker/mapped-claims/ES256K',
    exchange: /^portal token-issuer POST \/token$/,
    decoded: [{ text: 'The Bearer token, decoded:', read: at('responseBody', 'access_token') }],
  },
  // The registries
  {
    id: 'insert-first-did-document',
    text: 'An organization builds the transaction that registers its DID.',
    scenario: registration,
    exchange: /^organization did-registry POST \/api\/v1\/contract\/insertFirstDidDocument$/,
  },
  {
    id: 'send-transaction',
    text: 'The organization sends the signed transaction and gets the receipt, here with the first of its logs.',
    scenario: registration,
    exchange: /^organization did-registry POST \/api\/v1\/transactions\/send$/,
    shorten: keepFirstLog,
  },
  {
    id: 'add-verification-relationship',
    text: 'The organization builds the transaction that lets its key sign credentials.',
    scenario: registration,
    exchange: /^organization did-registry POST \/api\/v1\/contract\/addVerificationRelationship$/,
  },
  {
    id: 'resolve-did',
    text: 'A client resolves the DID.',
    scenario: registration,
    exchange: /^organization did-registry GET \/api\/v1\/identifiers\//,
    where: ({ status }) => status === 200,
    headers: { accept: 'application/did+ld+json' },
  },
  {
    id: 'resolve-unknown-did',
    text: 'A client resolves a DID that is not registered.',
    scenario: registration,
    exchange: /^organization did-registry GET \/api\/v1\/identifiers\//,
    where: ({ status }) => status === 404,
  },
  {
    id: 'set-attribute-metadata',
    text: 'The root builds the transaction that accredits a TAO.',
    scenario: chain,
    exchange: jsonRpc,
    where: calls('setAttributeMetadata'),
    headers: apiKey,
  },
  {
    id: 'send-signed-transaction',
    text: 'The root sends the signed transaction.',
    scenario: chain,
    exchange: jsonRpc,
    where: calls('sendSignedTransaction'),
    headers: apiKey,
  },
  {
    id: 'set-attribute-data',
    text: 'The root builds the transaction that stores the accreditation.',
    scenario: chain,
    exchange: jsonRpc,
    where: calls('setAttributeData'),
    headers: apiKey,
  },
  {
    id: 'receipt',
    text: 'The receipt of the transaction, from the chain node:',
    scenario: chain,
    exchange: jsonRpc,
    where: calls('sendSignedTransaction'),
    readsReceipt: true,
  },
  {
    id: 'accreditation',
    text: '',
    scenario: chain,
    exchange: jsonRpc,
    where: calls('setAttributeData'),
    isDecodedOnly: true,
    decoded: [
      {
        text: 'The accreditation of a TAO, decoded:',
        read: (hop) => fromHex(at('requestBody', 'params', 0, 'attributeData')(hop)),
      },
    ],
  },
  {
    id: 'read-accreditation',
    text: 'A verifier reads the accreditation.',
    scenario: chain,
    exchange: /^verifier tir GET \/trusted-issuers-registry\/v1\/issuers\//,
  },

  // The wallet
  {
    id: 'proof-of-ed25519',
    text: '',
    scenario: 'issuance/representative/EdDSA',
    exchange: /^wallet connector POST \/credential$/,
    isDecodedOnly: true,
    decoded: [
      {
        text: 'The proof of possession of a wallet with an Ed25519 key:',
        read: at('requestBody', 'proof', 'jwt'),
      },
    ],
  },
  {
    id: 'key-of-an-issuer',
    text: 'Before the wallet stores a credential, it looks up the key that signed it.',
    scenario: representative,
    exchange: /^wallet did-registry GET \/api\/v1\/identifiers\//,
  },
]
