import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws, signJws, verifyJws } from '#core/crypto/jws.ts'
import { algorithmOf, registeredSuites } from '#core/crypto/suites.ts'
import { type DidDocument, findVerificationKey, hasRelationship } from '#core/did/did-document.ts'
import { isTime } from '#core/verification/data-model.ts'
import type { ResolveDidDocument } from '#core/verification/lookup.ts'
import {
  breakRule,
  evaluateRules,
  type Lookup,
  type Rule,
  type RuleResults,
  type RuleText,
  type VerificationResult,
} from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import {
  type AuthorizationRequest,
  type AuthorizationRequestWire,
  authorizationRequestRules,
  parseAuthorizationRequest,
  signedRequestType,
  walletAudience,
} from './authorization-request.ts'

export interface CreateSignedRequestOptions {
  readonly request: AuthorizationRequestWire
  /** DID URL of the verifier's registered key. */
  readonly kid: string
  readonly privateKey: PrivateJwk
  /** Unix seconds. */
  readonly now: number
  /** Unix seconds. */
  readonly expiresAt: number
}

/**
 * Creates a presentation request as a JWT (RFC 9101), signed by the verifier's registered DID.
 *
 * @assumption A-45
 * @row 1.resources-and-their-fields/presentation-authorization-request.9
 */
export function createSignedRequest(options: CreateSignedRequestOptions): string {
  const { request, kid, privateKey, now, expiresAt } = options
  const alg = algorithmOf(privateKey)
  if (!alg) throw new TypeError('no algorithm matches the key')
  return signJws({
    header: { alg, typ: signedRequestType, kid },
    payload: { iss: request.client_id, aud: walletAudience, iat: now, exp: expiresAt, ...request },
    privateKey,
  })
}

export interface VerifySignedRequestOptions {
  readonly jwt: string
  /** The client_id of the link, if any. The request must come from that verifier. */
  readonly clientId?: string
  /** Unix seconds. */
  readonly now: number
  /** Resolves the verifier's current DID document. */
  readonly resolveDidDocument: ResolveDidDocument
  readonly cache?: VerificationCache | undefined
}

interface Context extends VerifySignedRequestOptions {
  readonly jws: ParsedJws
  readonly document: Lookup<DidDocument>
}

const skewSeconds = 60

/** OpenID4VP 1.0, 5.9.3: the prefix of a client_id that is a DID. The profile has it without. */
const didPrefix = /^decentralized_identifier:/

/** The rules for the signature over the parameters. */
export const signedRequestRules: readonly Rule<Context>[] = [
  {
    rule: 'request.typ',
    statement: `typ is ${signedRequestType}.`,
    fix: `Set typ in the header to ${signedRequestType}.`,
    path: 'header.typ',
    evaluate: ({ jws }, { fail }) => {
      if (jws.header.typ !== signedRequestType)
        fail(`it is not ${signedRequestType}`, undefined, jws.header.typ)
    },
  },
  {
    rule: 'request.client-id',
    statement: 'client_id is the DID in kid, and equals the client_id of the link.',
    fix: 'Use one DID as client_id, in kid, and as client_id of the link.',
    path: 'client_id',
    evaluate: ({ jws, clientId }, { fail }) => {
      // OpenID4VP 1.0, 5: iss may be present, but wallets must ignore it.
      const client_id = didOf(jws.payload.client_id)
      const { kid } = jws.header
      if (typeof kid !== 'string' || kid.split('#')[0] !== client_id) {
        fail('kid does not name a key of client_id', 'header.kid', kid)
      }
      if (clientId !== undefined && clientId !== jws.payload.client_id) {
        fail('the client_id of the link is different', undefined, clientId)
      }
    },
  },
  {
    rule: 'request.audience',
    statement: `aud, if present, is or contains ${walletAudience}.`,
    fix: `Set aud to ${walletAudience}, or omit it.`,
    path: 'aud',
    evaluate: ({ jws }, { fail }) => {
      // RFC 7519, 4.1.3. A wallet of the profile has no address that could be named instead.
      const { aud } = jws.payload
      if (aud !== undefined && ![aud].flat().includes(walletAudience)) {
        fail(`it is not ${walletAudience}`, undefined, aud)
      }
    },
  },
  {
    rule: 'request.signature',
    statement: "The signature verifies with a key of the verifier's DID that is valid now.",
    fix: "Sign with a key that is now in authentication or assertionMethod of the verifier's DID document, and set kid to it.",
    path: '',
    evaluate: ({ jws, document, cache }, { fail, lack }) => {
      const { kid } = jws.header
      if (!document.ok) {
        lack(document)
        return
      }
      const inUse = (['authentication', 'assertionMethod'] as const).some((relationship) =>
        hasRelationship(document.value, kid, relationship),
      )
      const publicKey = findVerificationKey(document.value, kid)
      if (!inUse || !publicKey) fail('the key is not valid now', 'header.kid', kid)
      else if (!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache }))
        fail('the signature does not verify')
    },
  },
  {
    rule: 'request.expiry',
    statement: 'The request has not expired, and neither iat nor nbf is in the future.',
    fix: 'Create a new request. Set iat to the current time and exp to a later one, in Unix seconds. Omit nbf, or set it to the current time.',
    path: 'exp',
    evaluate: ({ jws, now }, { fail }) => {
      const { exp, iat, nbf } = jws.payload
      if (exp !== undefined && !(isTime(exp) && now < exp)) {
        fail('it has expired, or is not a number of seconds', undefined, exp)
      }
      if (iat !== undefined && !(typeof iat === 'number' && iat <= now + skewSeconds)) {
        fail('it is in the future', 'iat', iat)
      }
      if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + skewSeconds)) {
        fail('it is in the future', 'nbf', nbf)
      }
    },
  },
]

/** Returns the DID in a client_id, with or without the prefix of OpenID4VP 1.0. */
export const didOf = (clientId: unknown): string | undefined =>
  typeof clientId === 'string' ? clientId.replace(didPrefix, '') : undefined

/**
 * Verifies a signed presentation request, as a wallet does before it answers: all rules here and in
 * `parseAuthorizationRequest` are evaluated; an input that is not a JWT breaks `request.format`.
 * The key comes only from the verifier's DID document; jwk, jku and x5u headers are ignored.
 *
 * @assumption A-29 A-45
 */
export async function verifySignedRequest(
  options: VerifySignedRequestOptions,
): Promise<VerificationResult<{ request: AuthorizationRequest }>> {
  const { failures, request } = await evaluateSignedRequest(options)
  return request && failures.length === 0 ? { ok: true, request } : { ok: false, failures }
}

/** Evaluates the same rules and reports each one. Do not use `request` if a rule failed. */
export async function evaluateSignedRequest(
  options: VerifySignedRequestOptions,
): Promise<RuleResults & { readonly request?: AuthorizationRequest }> {
  const jws = parseJws(options.jwt)
  if (!jws.ok) return breakRule(requestFormatRule, jws.reason)
  const client_id = didOf(jws.payload.client_id)
  const document: Lookup<DidDocument> =
    typeof client_id === 'string'
      ? await options.resolveDidDocument(client_id)
      : { ok: false, kind: 'not-found', reason: 'client_id is missing' }
  const signed = evaluateRules(signedRequestRules, { ...options, jws, document })
  const parameters = evaluateRules(authorizationRequestRules, jws.payload)
  const parsed = parseAuthorizationRequest(jws.payload)
  return {
    failures: [...signed.failures, ...parameters.failures],
    checked: [...signed.checked, ...parameters.checked],
    ...(parsed.ok ? { request: parsed.request } : {}),
  }
}

/** Without this rule no other rule of a signed request can be evaluated. */
export const requestFormatRule: RuleText = {
  rule: 'request.format',
  statement: 'The request is a JWT.',
  fix: 'Send the request as a compact JWT: header, payload and signature, separated by dots.',
  path: '',
}
