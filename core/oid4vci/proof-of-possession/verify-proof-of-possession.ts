import { algorithmOf } from '#core/crypto/algorithm-of.ts'
import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import type { PublicJwk, SigningAlgorithm } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws } from '#core/crypto/parse-jws.ts'
import { verifyJws } from '#core/crypto/verify-jws.ts'
import type { VerificationFailure, VerificationResult } from '#core/errors/verification-failure.ts'
import { cryptographicSuites } from '../credential-formats.ts'
import { proofOfPossessionType } from './create-proof-of-possession.ts'

/** The names of the rules, each evaluated whatever the others say. */
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
  /** The issuer's identifier, which the proof has to be addressed to. */
  readonly credentialIssuer: string
  /** The session's current c_nonce; undefined where it has none left. */
  readonly cNonce: { readonly value: string; readonly expiresAt: number } | undefined
  /** Unix seconds. */
  readonly now: number
  /** The suites that the issuer declares. */
  readonly algorithms?: readonly SigningAlgorithm[]
}

/** Who holds the key that made a proof. */
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

type Check = (context: Context) => string | undefined

interface Rule {
  readonly rule: ProofRule
  readonly path: string
  /** The reason why the rule is broken, or undefined where it holds. */
  readonly check: Check
}

const oldestSeconds = 5 * 60
const skewSeconds = 60

/**
 * Verifies a proof of possession (Document 1, Proof of possession JWT): all rules are evaluated, and
 * each one that is broken is returned. The holder's key comes out of its DID alone; `jwk`, `jku`
 * and `x5u` headers are ignored. `iat`, `exp` and `nbf` may have a fraction.
 *
 * @assumption A-29 A-38
 * @row 1.resources-and-their-fields/proof-of-possession-jwt.1..2 1.resources-and-their-fields/supported-curves.1..2
 */
export function verifyProofOfPossession(
  options: VerifyProofOfPossessionOptions,
): VerificationResult<{ holder: ProvenHolder }> {
  const jws = parseJws(options.jwt)
  if (!jws.ok) {
    const failure = { rule: 'proof.format' satisfies ProofRule, reason: jws.reason, path: '' }
    return { ok: false, failures: [failure] }
  }
  const { kid } = jws.header
  const holder = typeof kid === 'string' ? resolveHolderKey(kid) : undefined
  const context = { algorithms: cryptographicSuites, ...options, jws, holder }
  const failures: VerificationFailure[] = []
  for (const { rule, path, check } of rules) {
    const reason = check(context)
    if (reason !== undefined) failures.push({ rule, reason, path })
  }
  if (failures.length > 0 || !holder || typeof kid !== 'string') return { ok: false, failures }
  return { ok: true, holder: { ...holder, kid } }
}

const rules: readonly Rule[] = [
  {
    rule: 'proof.typ',
    path: 'header.typ',
    check: ({ jws }) =>
      jws.header.typ === proofOfPossessionType ? undefined : `typ is not ${proofOfPossessionType}`,
  },
  {
    rule: 'proof.alg',
    path: 'header.alg',
    check: ({ jws, algorithms }) =>
      algorithms.some((name) => name === jws.header.alg)
        ? undefined
        : `alg is none of ${algorithms.join(', ')}`,
  },
  {
    rule: 'proof.header-key',
    path: 'header.jwk',
    check: ({ jws }) =>
      holdsSecret(jws.header.jwk) ? 'the header gives away a private or symmetric key' : undefined,
  },
  {
    rule: 'proof.kid',
    path: 'header.kid',
    check: ({ jws }) =>
      typeof jws.header.kid === 'string' && /^did:[^#]+#./.test(jws.header.kid)
        ? undefined
        : "kid is no DID URL of the holder's key",
  },
  {
    rule: 'proof.did-method',
    path: 'header.kid',
    check: ({ jws }) =>
      typeof jws.header.kid !== 'string' || /^did:(key|jwk):/.test(jws.header.kid)
        ? undefined
        : 'the DID method of kid is neither did:key nor did:jwk',
  },
  {
    rule: 'proof.key',
    path: 'header.kid',
    check: ({ jws, holder }) =>
      holder || typeof jws.header.kid !== 'string' || !/^did:(key|jwk):[^#]*#./.test(jws.header.kid)
        ? undefined
        : 'kid does not resolve to a key',
  },
  {
    rule: 'proof.curve',
    path: 'header.alg',
    check: ({ jws, holder, algorithms }) =>
      !holder ||
      !algorithms.some((name) => name === jws.header.alg) ||
      algorithmOf(holder.publicKey) === jws.header.alg
        ? undefined
        : 'alg is not the one for the curve of the key',
  },
  {
    rule: 'proof.iss',
    path: 'payload.iss',
    check: ({ jws: { header, payload } }) => {
      if (typeof payload.iss !== 'string') return 'the proof carries no iss'
      const isOther = typeof header.kid === 'string' && payload.iss !== header.kid.split('#', 1)[0]
      return isOther ? 'iss is not the DID of kid' : undefined
    },
  },
  {
    rule: 'proof.aud',
    path: 'payload.aud',
    check: ({ jws, credentialIssuer }) =>
      jws.payload.aud === credentialIssuer ? undefined : `aud is not ${credentialIssuer}`,
  },
  {
    rule: 'proof.iat',
    path: 'payload.iat',
    check: ({ jws: { payload }, now }) => {
      if (!isTime(payload.iat)) return 'iat is no number of seconds'
      if (payload.iat < now - oldestSeconds) return 'iat is more than five minutes ago'
      return payload.iat > now + skewSeconds ? 'iat is in the future' : undefined
    },
  },
  {
    rule: 'proof.exp',
    path: 'payload.exp',
    check: ({ jws: { payload }, now }) => {
      if (payload.exp === undefined) return undefined
      if (!isTime(payload.exp)) return 'exp is no number of seconds'
      return payload.exp <= now ? 'the proof has expired' : undefined
    },
  },
  {
    rule: 'proof.nbf',
    path: 'payload.nbf',
    check: ({ jws: { payload }, now }) => {
      if (payload.nbf === undefined) return undefined
      if (!isTime(payload.nbf)) return 'nbf is no number of seconds'
      return payload.nbf > now + skewSeconds ? 'the proof is not valid yet' : undefined
    },
  },
  {
    rule: 'proof.nonce-missing',
    path: 'payload.nonce',
    check: ({ jws }) =>
      typeof jws.payload.nonce === 'string' ? undefined : 'the proof carries no nonce',
  },
  {
    rule: 'proof.nonce',
    path: 'payload.nonce',
    check: ({ jws: { payload }, cNonce, now }) => {
      if (typeof payload.nonce !== 'string') return undefined
      if (cNonce === undefined || payload.nonce !== cNonce.value) {
        return 'nonce is not the current c_nonce of this session'
      }
      return cNonce.expiresAt <= now ? 'the c_nonce has expired' : undefined
    },
  },
  {
    rule: 'proof.signature',
    path: 'signature',
    check: ({ jws, holder, algorithms }) => {
      const algorithm = algorithms.find((name) => name === jws.header.alg)
      // Without a key for an accepted algorithm another rule is broken already: nothing to verify.
      if (!holder || !algorithm || algorithmOf(holder.publicKey) !== algorithm) return undefined
      return verifyJws({ jws, publicKey: holder.publicKey, algorithms: [algorithm] })
        ? undefined
        : 'the signature does not verify with the key of kid'
    },
  },
]

/** The rules that were evaluated on a proof with these failures: all, where it could be read. */
export function checkedProofRules(
  failures: readonly VerificationFailure[],
): { readonly rule: string; readonly passed: boolean }[] {
  const broken = new Set(failures.map(({ rule }) => rule))
  const format = { rule: 'proof.format', passed: !broken.has('proof.format') }
  if (!format.passed) return [format]
  return [format, ...rules.map(({ rule }) => ({ rule, passed: !broken.has(rule) }))]
}

function holdsSecret(jwk: unknown): boolean {
  if (typeof jwk !== 'object' || jwk === null) return false
  return 'd' in jwk || 'k' in jwk || ('kty' in jwk && jwk.kty === 'oct')
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
