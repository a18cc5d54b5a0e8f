import type { SigningAlgorithm } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws } from '#core/crypto/parse-jws.ts'
import { verifyJws } from '#core/crypto/verify-jws.ts'
import { parseDidUrl } from '#core/did/verification-method-id.ts'
import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import { evaluateRules, type Rule } from '#core/verification/evaluate-rules.ts'
import { findVerificationKey, hasRelationship } from '#core/verification/find-verification-key.ts'
import { parseIsoTime } from '#core/verification/iso-time.ts'
import type { ResolveDidDocument } from '#core/verification/lookup.ts'
import type { Wallet } from '../create-wallet.ts'

/** What to do where a rule is broken: keep the credential from the store, tell, or pass over it. */
export type RuleReaction = 'refuse' | 'warn' | 'accept'

export type CredentialRule =
  | 'received-credential.format'
  | 'received-credential.type'
  | 'received-credential.holder'
  | 'received-credential.validity'
  | 'received-credential.signature'

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
  readonly resolveDidDocument?: ResolveDidDocument | undefined
  /** By default every broken rule refuses the credential. */
  readonly policy?: CredentialPolicy | undefined
}

interface Received extends ValidateReceivedCredentialOptions {
  readonly jws: ParsedJws
  readonly holderDid: string
  readonly now: number
}

const issuerAlgorithms: readonly SigningAlgorithm[] = ['ES256K', 'ES256', 'EdDSA']

// An issuer's clock may be a little ahead of the holder's.
const skewSeconds = 60

/**
 * Judges a credential that an issuer sent, before it is kept: is it a JWT of the announced types,
 * about this holder, valid now, and signed by a key that its issuer's DID document has for
 * assertions. All rules are evaluated.
 */
export async function validateReceivedCredential(
  { account, now }: Wallet,
  credential: string,
  options: ValidateReceivedCredentialOptions,
): Promise<CredentialVerdict> {
  const failures = await brokenRules(credential, {
    ...options,
    holderDid: account.did,
    now: now(),
  })
  const reactions = failures.map(({ rule }) => options.policy?.[rule as CredentialRule] ?? 'refuse')
  if (reactions.includes('refuse')) return { verdict: 'refused', failures }
  const verdict = reactions.includes('warn') ? 'accepted-with-warnings' : 'accepted'
  return { verdict, failures }
}

async function brokenRules(
  credential: string,
  input: Omit<Received, 'jws'>,
): Promise<readonly VerificationFailure[]> {
  const jws = parseJws(credential)
  if (!jws.ok) {
    const rule: CredentialRule = 'received-credential.format'
    return [{ rule, path: '', reason: jws.reason }]
  }
  const { failures } = await evaluateRules(rules, { ...input, jws })
  return failures
}

const rules: readonly (Rule<Received> & { readonly rule: CredentialRule })[] = [
  {
    rule: 'received-credential.type',
    statement: 'The credential is of the types that were announced.',
    path: 'payload.vc.type',
    evaluate: ({ jws, types }, report) => {
      const found = objectOf(jws.payload.vc).type
      const missing = types.filter((type) => !Array.isArray(found) || !found.includes(type))
      if (missing.length > 0) report.fail(`it is not of type ${missing.join(', ')}`)
    },
  },
  {
    rule: 'received-credential.holder',
    statement: "The credential is about this wallet's holder.",
    path: 'payload.sub',
    evaluate: ({ jws, holderDid }, report) => {
      const subject = objectOf(objectOf(jws.payload.vc).credentialSubject)
      const named = [jws.payload.sub, subject.id].filter((value) => value !== undefined)
      if (named.length === 0) report.fail('it names no holder')
      if (named.some((value) => value !== holderDid)) report.fail('it was issued to somebody else')
    },
  },
  {
    rule: 'received-credential.validity',
    statement: 'The credential is valid now.',
    path: 'payload',
    evaluate: ({ jws: { payload }, now }, report) => {
      const { validFrom, validUntil } = objectOf(payload.vc)
      const starts = [payload.nbf, secondsOf(validFrom)].filter((time) => time !== undefined)
      const ends = [payload.exp, secondsOf(validUntil)].filter((time) => time !== undefined)
      const isTime = (time: unknown) => typeof time === 'number' && Number.isFinite(time)
      if (![...starts, ...ends].every(isTime)) report.fail('a time in it is none')
      if (starts.some((start) => Number(start) > now + skewSeconds)) {
        report.fail('it is not valid yet')
      }
      if (ends.some((end) => Number(end) <= now)) report.fail('it has expired')
    },
  },
  {
    rule: 'received-credential.signature',
    statement: "The signature is that of the issuer's key for assertions.",
    path: 'signature',
    evaluate: async ({ jws, resolveDidDocument }, report) => {
      if (!resolveDidDocument) return
      const { kid } = jws.header
      const did = typeof kid === 'string' ? parseDidUrl(kid)?.did : undefined
      if (typeof kid !== 'string' || !did) return report.fail('kid is no DID URL', 'header.kid')
      if (jws.payload.iss !== did) return report.fail('kid is no key of iss', 'header.kid')
      const { iat } = jws.payload
      const found = await resolveDidDocument(did, typeof iat === 'number' ? iat : undefined)
      if (!found.ok) return report.fail(`the issuer's DID does not resolve: ${found.reason}`)
      const publicKey = findVerificationKey(found.value, kid)
      if (!publicKey || !hasRelationship(found.value, kid, 'assertionMethod')) {
        return report.fail('kid is no key for assertions of its issuer', 'header.kid')
      }
      if (!verifyJws({ jws, publicKey, algorithms: issuerAlgorithms })) {
        report.fail("the signature does not verify with the issuer's key")
      }
    },
  },
]

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Unix seconds of a date-time; NaN for what is none. */
function secondsOf(value: unknown): number | undefined {
  return value === undefined ? undefined : (parseIsoTime(value) ?? Number.NaN)
}
