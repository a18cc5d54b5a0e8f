import type { SigningAlgorithm } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws } from '#core/crypto/parse-jws.ts'
import { verifyJws } from '#core/crypto/verify-jws.ts'
import { parseDidUrl } from '#core/did/verification-method-id.ts'
import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import type { Wallet } from '../create-wallet.ts'
import { findVerificationKey } from './find-verification-key.ts'
import type { DidResolver } from './resolve-did-document.ts'

/** What to do where a rule is broken: keep the credential from the store, tell, or pass over it. */
export type RuleReaction = 'refuse' | 'warn' | 'accept'

export type CredentialRule =
  | 'credential.format'
  | 'credential.type'
  | 'credential.holder'
  | 'credential.validity'
  | 'credential.signature'

export type CredentialPolicy = Readonly<Partial<Record<CredentialRule, RuleReaction>>>

export interface CredentialVerdict {
  readonly verdict: 'accepted' | 'accepted-with-warnings' | 'refused'
  /** Every broken rule, whatever the policy says about it. */
  readonly failures: readonly VerificationFailure[]
}

export interface ValidateReceivedCredentialOptions {
  /** The types that the offer announced. */
  readonly types: readonly string[]
  /** Without it the signature is not looked at. */
  readonly resolveDidDocument?: DidResolver | undefined
  /** By default every broken rule refuses the credential. */
  readonly policy?: CredentialPolicy | undefined
}

const issuerAlgorithms: readonly SigningAlgorithm[] = ['ES256K', 'ES256', 'EdDSA']

/**
 * Judges a credential that an issuer sent, before it is kept: is it a JWT of the announced types,
 * about this holder, valid now, and signed by a key that its issuer's DID document has for
 * assertions. All rules are evaluated.
 */
export async function validateReceivedCredential(
  { account, now }: Wallet,
  credential: string,
  { types, resolveDidDocument, policy = {} }: ValidateReceivedCredentialOptions,
): Promise<CredentialVerdict> {
  const failures: VerificationFailure[] = []
  const jws = parseJws(credential)
  if (jws.ok) {
    const problems: readonly [CredentialRule, string, string | undefined][] = [
      ['credential.type', 'payload.vc.type', typeProblem(jws, types)],
      ['credential.holder', 'payload.sub', holderProblem(jws, account.did)],
      ['credential.validity', 'payload', validityProblem(jws, now())],
      ['credential.signature', 'signature', await signatureProblem(jws, resolveDidDocument)],
    ]
    for (const [rule, path, reason] of problems) {
      if (reason !== undefined) failures.push({ rule, path, reason })
    }
  } else {
    failures.push({ rule: 'credential.format', path: '', reason: jws.reason })
  }
  const reactions = failures.map(({ rule }) => policy[rule as CredentialRule] ?? 'refuse')
  if (reactions.includes('refuse')) return { verdict: 'refused', failures }
  return {
    verdict: reactions.includes('warn') ? 'accepted-with-warnings' : 'accepted',
    failures,
  }
}

// An issuer's clock may be a little ahead of the holder's.
const skewSeconds = 60

type JsonObject = Readonly<Record<string, unknown>>

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {}

function typeProblem({ payload }: ParsedJws, types: readonly string[]): string | undefined {
  const found = objectOf(payload.vc).type
  const missing = types.filter((type) => !Array.isArray(found) || !found.includes(type))
  return missing.length === 0 ? undefined : `the credential is not of type ${missing.join(', ')}`
}

function holderProblem({ payload }: ParsedJws, did: string): string | undefined {
  const subject = objectOf(objectOf(payload.vc).credentialSubject)
  const named = [payload.sub, subject.id].filter((value) => value !== undefined)
  if (named.length === 0) return 'the credential names no holder'
  return named.every((value) => value === did)
    ? undefined
    : 'the credential was issued to somebody else'
}

function validityProblem({ payload }: ParsedJws, now: number): string | undefined {
  const { validFrom, validUntil } = objectOf(payload.vc)
  const starts = [payload.nbf, secondsOf(validFrom)].filter((value) => value !== undefined)
  const ends = [payload.exp, secondsOf(validUntil)].filter((value) => value !== undefined)
  if ([...starts, ...ends].some((value) => typeof value !== 'number' || !Number.isFinite(value))) {
    return 'a time in the credential is none'
  }
  if (starts.some((start) => Number(start) > now + skewSeconds))
    return 'the credential is not valid yet'
  return ends.some((end) => Number(end) <= now) ? 'the credential has expired' : undefined
}

/** Unix seconds of a W3C date-time; NaN for what is none. */
function secondsOf(value: unknown): number | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? Date.parse(value) / 1000 : Number.NaN
}

async function signatureProblem(
  jws: ParsedJws,
  resolveDidDocument: DidResolver | undefined,
): Promise<string | undefined> {
  if (!resolveDidDocument) return undefined
  const { header, payload } = jws
  const { kid } = header
  const did = typeof kid === 'string' ? parseDidUrl(kid)?.did : undefined
  if (typeof kid !== 'string' || did === undefined) return 'kid is no DID URL'
  if (payload.iss !== did) return 'kid is not a key of iss'
  const at = typeof payload.iat === 'number' ? payload.iat : undefined
  const document = await resolveDidDocument(did, at)
  if (!document) return "the issuer's DID does not resolve"
  const publicKey = findVerificationKey(document, kid, ['assertionMethod'])
  if (!publicKey) return 'kid is no key for assertions of its issuer'
  return verifyJws({ jws, publicKey, algorithms: issuerAlgorithms })
    ? undefined
    : "the signature is not that of the issuer's key"
}
