import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import type { PrivateJwk, PublicJwk } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws, type SigningKey, signJws, verifyJws } from '#core/crypto/jws.ts'
import { algorithmOf, defaultHolderSuites, type SigningAlgorithm } from '#core/crypto/suites.ts'
import { isJsonObject } from '#core/json/json-object.ts'
import {
  breakRule,
  type CheckedRule,
  conclude,
  type FailedLookup,
  type RuleText,
  shorten,
  uncheckedBy,
  type VerificationFailure,
  type VerificationResult,
} from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'

/** The `typ` of a proof of possession (profile/connector, Proof of possession). */
export const proofOfPossessionType = 'openid4vci-proof+jwt'

export interface CreateProofOfPossessionOptions {
  readonly privateKey: PrivateJwk | SigningKey
  readonly holderDid: string
  /** DID URL of the holder's key. */
  readonly kid: string
  /** The issuer's identifier, `credential_issuer`. */
  readonly credentialIssuer: string
  /** The c_nonce of the token response; omitted if there was none. */
  readonly cNonce?: string
  /** Unix seconds. */
  readonly now: number
}

/**
 * Creates the JWT with which a wallet proves that it controls the key of its DID
 * (profile/connector, Proof of possession). Throws a TypeError for a key of an unsupported curve.
 */
export function createProofOfPossession({
  privateKey,
  holderDid,
  kid,
  credentialIssuer,
  cNonce,
  now,
}: CreateProofOfPossessionOptions): string {
  const alg = algorithmOf(privateKey)
  if (!alg) throw new TypeError('the curve of the key is not supported')
  return signJws({
    header: { alg, typ: proofOfPossessionType, kid },
    payload: {
      iss: holderDid,
      aud: credentialIssuer,
      iat: now,
      ...(cNonce === undefined ? {} : { nonce: cNonce }),
    },
    privateKey,
  })
}

/** The names of the rules. Each is evaluated independently of the others. */
export type ProofRule =
  | 'proof.format'
  | 'proof.typ'
  | 'proof.alg'
  | 'proof.header-key'
  | 'proof.kid'
  | 'proof.did-method'
  | 'proof.key'
  | 'proof.curve'
  | 'proof.iss'
  | 'proof.aud'
  | 'proof.iat'
  | 'proof.exp'
  | 'proof.nbf'
  | 'proof.nonce-missing'
  | 'proof.nonce'
  | 'proof.signature'

export interface VerifyProofOfPossessionOptions {
  readonly jwt: string
  /** The issuer's identifier: the required audience. If undefined, the audience is unchecked. */
  readonly credentialIssuer: string | undefined
  /** The session's current c_nonce; undefined if it has none. */
  readonly cNonce: { readonly value: string; readonly expiresAt: number } | 'not-known' | undefined
  /** Unix seconds. */
  readonly now: number
  /** The suites that the issuer declares. Default: the suites of the profile. */
  readonly algorithms?: readonly SigningAlgorithm[]
  readonly cache?: VerificationCache | undefined
}

/** The holder of the key that signed a proof. */
export interface ProvenHolder {
  readonly did: string
  readonly kid: string
  readonly publicKey: PublicJwk
}

interface Context extends VerifyProofOfPossessionOptions {
  readonly jws: ParsedJws
  readonly holder: ReturnType<typeof resolveHolderKey>
  readonly algorithms: readonly SigningAlgorithm[]
}

/** Why a rule is broken, with the value found, or unchecked; undefined if it passes. */
type Check = (
  context: Context,
) => string | { reason: string; got: unknown } | FailedLookup | undefined

interface Rule extends RuleText {
  readonly rule: ProofRule
  readonly check: Check
}

const oldestSeconds = 5 * 60
const skewSeconds = 60

/**
 * Verifies a proof of possession (profile/connector, Proof of possession): evaluates all rules and
 * returns each broken one. The holder's key comes only from its DID; `jwk`, `jku` and `x5u` headers
 * are ignored. `iat`, `exp` and `nbf` may have a fraction.
 *
 * @assumption A-29 A-38
 * @row 1.resources-and-their-fields/proof-of-possession-jwt.1..2 1.resources-and-their-fields/supported-curves.1..2
 */
export function verifyProofOfPossession(
  options: VerifyProofOfPossessionOptions,
): VerificationResult<{ holder: ProvenHolder }> {
  const jws = parseJws(options.jwt)
  if (!jws.ok) {
    return { ok: false, failures: breakRule(formatRule, jws.reason).failures }
  }
  const { kid } = jws.header
  const { algorithms = defaultHolderSuites } = options
  const holder = typeof kid === 'string' ? resolveHolderKey(kid, algorithms) : undefined
  const context = { algorithms, ...options, jws, holder }
  const failures: VerificationFailure[] = []
  for (const { rule, path, check } of rules) {
    const problem = check(context)
    if (typeof problem === 'string') failures.push({ rule, reason: problem, path })
    else if (problem) {
      const rest = 'got' in problem ? { got: shorten(problem.got) } : uncheckedBy(problem)
      failures.push({ rule, reason: problem.reason, path, ...rest })
    }
  }
  if (failures.length > 0 || !holder || typeof kid !== 'string') return { ok: false, failures }
  return { ok: true, holder: { ...holder, kid } }
}

/** Without this rule no other rule of a proof can be evaluated. */
const formatRule: RuleText = {
  rule: 'proof.format' satisfies ProofRule,
  statement: 'The proof is a signed JWT.',
  fix: 'Send the proof as a compact JWT: header, payload and signature, separated by dots.',
  path: '',
}

const rules: readonly Rule[] = [
  {
    rule: 'proof.typ',
    statement: `typ is ${proofOfPossessionType}.`,
    fix: `Set typ in the header to ${proofOfPossessionType}.`,
    path: 'header.typ',
    check: ({ jws }) =>
      jws.header.typ === proofOfPossessionType ? undefined : `typ is not ${proofOfPossessionType}`,
  },
  {
    rule: 'proof.alg',
    statement: 'alg is one of the algorithms that the issuer declares.',
    fix: "Sign with an algorithm in cryptographic_suites_supported of the issuer's metadata, and set alg accordingly.",
    path: 'header.alg',
    check: ({ jws, algorithms }) =>
      algorithms.some((name) => name === jws.header.alg)
        ? undefined
        : `alg is not one of ${algorithms.join(', ')}`,
  },
  {
    rule: 'proof.header-key',
    statement: 'The header does not contain a private or symmetric key.',
    fix: 'Remove the key from the header, and replace it by a new one: this key is compromised. Name keys only in kid.',
    path: 'header.jwk',
    check: ({ jws }) =>
      holdsSecret(jws.header.jwk) ? 'the header contains a private or symmetric key' : undefined,
  },
  {
    rule: 'proof.kid',
    statement: "kid is a DID URL of the holder's key.",
    fix: "Set kid to the DID URL of the holder's key, with its fragment: did:key:z…#z… or did:jwk:…#0.",
    path: 'header.kid',
    check: ({ jws }) =>
      typeof jws.header.kid === 'string' && /^did:[^#]+#./.test(jws.header.kid)
        ? undefined
        : "kid is not a DID URL of the holder's key",
  },
  {
    rule: 'proof.did-method',
    statement: "The holder's DID is a did:key or a did:jwk.",
    fix: 'Use a did:key or did:jwk for the holder, and set kid to its key.',
    path: 'header.kid',
    check: ({ jws }) =>
      typeof jws.header.kid !== 'string' || /^did:(key|jwk):/.test(jws.header.kid)
        ? undefined
        : 'the DID method of kid is neither did:key nor did:jwk',
  },
  {
    rule: 'proof.key',
    statement: 'kid resolves to a key.',
    fix: 'Encode a key of an accepted curve in the DID. Set the fragment to the identifier itself for did:key, to 0 for did:jwk.',
    path: 'header.kid',
    check: ({ jws, holder }) =>
      holder || typeof jws.header.kid !== 'string' || !/^did:(key|jwk):[^#]*#./.test(jws.header.kid)
        ? undefined
        : 'kid does not resolve to a key',
  },
  {
    rule: 'proof.curve',
    statement: "alg matches the key's curve.",
    fix: 'Set alg to the algorithm of the key in kid: ES256K for secp256k1, ES256 for P-256, EdDSA for Ed25519.',
    path: 'header.alg',
    check: ({ jws, holder, algorithms }) =>
      !holder ||
      !algorithms.some((name) => name === jws.header.alg) ||
      algorithmOf(holder.publicKey) === jws.header.alg
        ? undefined
        : "alg does not match the key's curve",
  },
  {
    rule: 'proof.iss',
    statement: 'iss is the DID of kid.',
    fix: 'Set iss to the DID in kid, without the fragment.',
    path: 'payload.iss',
    check: ({ jws: { header, payload } }) => {
      if (typeof payload.iss !== 'string') return 'the proof has no iss'
      const isOther = typeof header.kid === 'string' && payload.iss !== header.kid.split('#', 1)[0]
      return isOther ? 'iss is not the DID of kid' : undefined
    },
  },
  {
    rule: 'proof.aud',
    statement: 'aud is only the credential issuer.',
    fix: 'Set aud to the credential_issuer of the metadata, and to nothing else.',
    path: 'payload.aud',
    check: ({ jws, credentialIssuer }) => {
      if (credentialIssuer === undefined) return notKnown('the intended issuer')
      const { aud } = jws.payload
      // RFC 7519, 4.1.3: a single audience may be the only element of an array.
      const [audience, ...others] = Array.isArray(aud) ? aud : [aud]
      if (audience !== credentialIssuer) {
        return { reason: `aud is not ${credentialIssuer}`, got: aud }
      }
      return others.length === 0
        ? undefined
        : { reason: 'aud contains additional audiences', got: aud }
    },
  },
  {
    rule: 'proof.iat',
    statement: 'iat is not in the future and at most five minutes ago.',
    fix: "Create a new proof for each request, with the current time in Unix seconds as iat. Correct the wallet's clock if it is wrong.",
    path: 'payload.iat',
    check: ({ jws: { payload }, now }) => {
      if (!isTime(payload.iat)) return 'iat is not a number of seconds'
      if (payload.iat < now - oldestSeconds) return 'iat is more than five minutes ago'
      return payload.iat > now + skewSeconds ? 'iat is in the future' : undefined
    },
  },
  {
    rule: 'proof.exp',
    statement: 'The proof has not expired.',
    fix: 'Create a new proof. Omit exp, or set it to a time in the future, in Unix seconds.',
    path: 'payload.exp',
    check: ({ jws: { payload }, now }) => {
      if (payload.exp === undefined) return undefined
      if (!isTime(payload.exp)) return 'exp is not a number of seconds'
      return payload.exp <= now ? 'the proof has expired' : undefined
    },
  },
  {
    rule: 'proof.nbf',
    statement: 'The validity period of the proof has begun.',
    fix: 'Omit nbf, or set it to the current time in Unix seconds.',
    path: 'payload.nbf',
    check: ({ jws: { payload }, now }) => {
      if (payload.nbf === undefined) return undefined
      if (!isTime(payload.nbf)) return 'nbf is not a number of seconds'
      return payload.nbf > now + skewSeconds ? 'the proof is not valid yet' : undefined
    },
  },
  {
    rule: 'proof.nonce-missing',
    statement: 'The proof contains a nonce.',
    fix: 'Set nonce to the c_nonce of the token response.',
    path: 'payload.nonce',
    check: ({ jws }) =>
      typeof jws.payload.nonce === 'string' ? undefined : 'the proof does not contain a nonce',
  },
  {
    rule: 'proof.nonce',
    statement: "nonce is the session's current c_nonce.",
    fix: 'Set nonce to the latest c_nonce that the issuer returned in this session, before it expires.',
    path: 'payload.nonce',
    check: ({ jws: { payload }, cNonce, now }) => {
      if (typeof payload.nonce !== 'string') return undefined
      if (cNonce === 'not-known') return notKnown("the session's c_nonce")
      if (cNonce === undefined || payload.nonce !== cNonce.value) {
        return 'nonce is not the current c_nonce of this session'
      }
      return cNonce.expiresAt <= now ? 'the c_nonce has expired' : undefined
    },
  },
  {
    rule: 'proof.signature',
    statement: 'The signature verifies with the key of kid.',
    fix: 'Sign with the private key of the DID in kid. Encode an ECDSA signature as r and s, 64 bytes, not as DER.',
    path: 'signature',
    check: ({ jws, holder, algorithms, cache }) => {
      const algorithm = algorithms.find((name) => name === jws.header.alg)
      // Without a key for an accepted algorithm, another rule is already broken.
      if (!holder || !algorithm || algorithmOf(holder.publicKey) !== algorithm) return undefined
      return verifyJws({ jws, publicKey: holder.publicKey, algorithms: [algorithm], cache })
        ? undefined
        : 'the signature does not verify with the key of kid'
    },
  },
]

/** The rules of a proof of possession, without their evaluation. */
export const proofRules: readonly RuleText[] = [formatRule, ...rules]

/** The verdict on each evaluated rule; only `proof.format` if the proof is not a JWT. */
export function checkedProofRules(failures: readonly VerificationFailure[]): CheckedRule[] {
  const isMalformed = failures.some(({ rule }) => rule === formatRule.rule)
  return (isMalformed ? [formatRule] : proofRules).map((text) =>
    conclude(
      text,
      failures.filter(({ rule }) => rule === text.rule),
    ),
  )
}

function notKnown(what: string): FailedLookup {
  return { ok: false, kind: 'not-asked', reason: `${what} is not known` }
}

function holdsSecret(jwk: unknown): boolean {
  return isJsonObject(jwk) && ('d' in jwk || 'k' in jwk || jwk.kty === 'oct')
}

const isTime = (value: unknown): value is number => Number.isFinite(value)
