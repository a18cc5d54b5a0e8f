import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws, type SigningKey, signJws, verifyJws } from '#core/crypto/jws.ts'
import { algorithmOf, defaultHolderSuites, type SigningAlgorithm } from '#core/crypto/suites.ts'
import { deepestNesting, nestsDeeperThan } from '#core/json/read-json.ts'
import {
  type CheckedRule,
  evaluateRules,
  type FailedLookup,
  type Rule,
  type VerificationFailure,
} from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'

/** First element of a presentation's `@context` (profile/verifier, Presentation). */
const presentationContext = 'https://www.w3.org/2018/credentials/v1'

export interface CreateVpTokenOptions {
  readonly holderDid: string
  /** DID URL of the holder's key. */
  readonly kid: string
  readonly privateKey: PrivateJwk | SigningKey
  /** The verifier's client_id. */
  readonly audience: string
  /** The request's nonce. */
  readonly nonce: string
  /** Credentials as JWTs. */
  readonly credentials: readonly string[]
  /** Unix seconds. */
  readonly now: number
  /** Seconds until it expires. Default: 300. */
  readonly lifetime?: number
}

/**
 * A presentation, signed by the holder (profile/verifier, Presentation).
 *
 * @row 1.resources-and-their-fields/presentation-token.1..2
 */
export function createVpToken(options: CreateVpTokenOptions): string {
  const { holderDid, kid, privateKey, audience, nonce, credentials, now, lifetime = 300 } = options
  const alg = algorithmOf(privateKey)
  if (!alg) throw new TypeError('the key fits no algorithm')
  return signJws({
    header: { alg, typ: 'JWT', kid },
    payload: {
      iss: holderDid,
      aud: audience,
      nonce,
      iat: now,
      exp: now + lifetime,
      vp: {
        '@context': [presentationContext],
        type: ['VerifiablePresentation'],
        verifiableCredential: [...credentials],
      },
    },
    privateKey,
  })
}

/**
 * Takes a presentation apart, which is what decides whether a post is one at all: a JWT whose header
 * and payload are JSON objects nested no deeper than any real one. Undefined for anything else.
 *
 * @assumption A-30
 */
export function parseVpToken(vpToken: string | undefined): ParsedJws | undefined {
  const jws = vpToken === undefined ? undefined : parseJws(vpToken)
  if (!jws?.ok || nestsDeeperThan([jws.header, jws.payload], deepestNesting)) return undefined
  return jws
}

/**
 * What the field vp_token has to hold before a presentation can be judged at all (
 * profile/verifier, Response endpoint).
 */
export const vpTokenFormRule: Rule<unknown> = {
  rule: 'presentation.form',
  statement: 'vp_token is one presentation as a JWT.',
  path: 'vp_token',
  evaluate: (vpToken, { fail }) => {
    if (typeof vpToken === 'string') {
      if (!parseVpToken(vpToken)) fail('it is no JWT')
    } else if (Array.isArray(vpToken)) fail('it is a list')
    else if (typeof vpToken === 'object' && vpToken !== null) {
      fail('it is an object, as later revisions send it, with the ids of the query as names')
    } else fail('it is no text')
  },
}

/** A decoded presentation and what was asked for. */
export interface VpTokenContext {
  readonly jws: ParsedJws
  /** The `vp` claim; empty where there is none. */
  readonly vp: Readonly<Record<string, unknown>>
  /** The holder's key, out of the DID in `kid`. */
  readonly holder: ReturnType<typeof resolveHolderKey>
  readonly audience: string | undefined
  readonly nonce: string | undefined
  /** Unix seconds. */
  readonly now: number
  readonly cache?: VerificationCache | undefined
}

const skewSeconds = 60
const longestLifetime = 15 * 60

/**
 * The rules of a presentation (profile/verifier, Presentation).
 *
 * @assumption A-28 A-45
 * @row 1.resources-and-their-fields/presentation-token.1..2 1.resources-and-their-fields/supported-curves.1..2
 */
function vpTokenRulesFor(
  presentationSuites: readonly SigningAlgorithm[],
): readonly Rule<VpTokenContext>[] {
  return [
    {
      rule: 'presentation.typ',
      statement: 'typ is JWT.',
      path: 'header.typ',
      evaluate: ({ jws }, { fail }) => {
        if (jws.header.typ !== 'JWT') fail('it is another one', undefined, jws.header.typ)
      },
    },
    {
      rule: 'presentation.algorithm',
      statement: `alg is one of ${presentationSuites.join(', ')}.`,
      path: 'header.alg',
      evaluate: ({ jws }, { fail }) => {
        if (!presentationSuites.some((name) => name === jws.header.alg)) {
          fail('no other algorithm is accepted', undefined, jws.header.alg)
        }
      },
    },
    {
      rule: 'presentation.kid',
      statement: 'kid is the DID URL of a key in a did:key or did:jwk.',
      path: 'header.kid',
      evaluate: ({ jws, holder }, { fail }) => {
        if (!holder) fail('it names no such key', undefined, jws.header.kid)
      },
    },
    {
      rule: 'presentation.issuer',
      statement: 'iss is the DID in kid.',
      path: 'iss',
      evaluate: ({ jws }, { fail }) => {
        const { kid } = jws.header
        if (typeof kid !== 'string' || jws.payload.iss !== kid.split('#')[0]) {
          fail('it is another one', undefined, jws.payload.iss)
        }
      },
    },
    {
      rule: 'presentation.signature',
      statement: "The signature verifies with the holder's key.",
      path: '',
      evaluate: ({ jws, holder, cache }, { fail }) => {
        if (
          !holder ||
          !verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })
        ) {
          fail('it does not verify')
        }
      },
    },
    {
      rule: 'presentation.audience',
      statement: "aud is the verifier's client_id.",
      path: 'aud',
      evaluate: ({ jws, audience }, { fail, lack }) => {
        // A presentation for several verifiers could be used at each of them by any of them.
        if (audience === undefined) lack(notAsked("the verifier's client_id is not known here"))
        else if (jws.payload.aud !== audience) fail('it is another one', undefined, jws.payload.aud)
      },
    },
    {
      rule: 'presentation.nonce',
      statement: "nonce is the request's.",
      path: 'nonce',
      evaluate: ({ jws, nonce }, { fail, lack }) => {
        if (nonce === undefined) lack(notAsked("the request's nonce is not known here"))
        else if (jws.payload.nonce !== nonce) fail('it is missing or another one')
      },
    },
    {
      rule: 'presentation.issued-at',
      statement: `iat is there and at most ${skewSeconds} s ahead.`,
      path: 'iat',
      evaluate: ({ jws, now }, { fail }) => {
        const { iat } = jws.payload
        if (!isTime(iat)) fail('it is absent or no time', undefined, iat)
        else if (iat > now + skewSeconds) fail('it is in the future', undefined, iat)
      },
    },
    {
      rule: 'presentation.expiry',
      statement: `exp is there, not past, and at most ${longestLifetime / 60} minutes after iat.`,
      path: 'exp',
      evaluate: ({ jws, now }, { fail }) => {
        const { exp, iat } = jws.payload
        if (!isTime(exp)) {
          fail('it is absent or no time', undefined, exp)
          return
        }
        if (now >= exp) fail('the presentation has expired', undefined, exp)
        if (isTime(iat) && exp - iat > longestLifetime)
          fail('it is too long after iat', undefined, exp)
      },
    },
    {
      rule: 'presentation.not-before',
      statement: `nbf, where it is there, is at most ${skewSeconds} s ahead.`,
      path: 'nbf',
      evaluate: ({ jws, now }, { fail }) => {
        const { nbf } = jws.payload
        if (nbf !== undefined && !(isTime(nbf) && nbf <= now + skewSeconds)) {
          fail('it is in the future or no time', undefined, nbf)
        }
      },
    },
    {
      rule: 'presentation.context',
      statement: `vp.@context starts with ${presentationContext}.`,
      path: 'vp.@context.0',
      evaluate: ({ vp }, { fail }) => {
        const context = vp['@context']
        if (!Array.isArray(context) || context[0] !== presentationContext) {
          fail('it is absent or starts with another one')
        }
      },
    },
    {
      rule: 'presentation.type',
      statement: 'vp.type holds VerifiablePresentation.',
      path: 'vp.type',
      evaluate: ({ vp: { type } }, { fail }) => {
        if (!Array.isArray(type) || !type.includes('VerifiablePresentation')) {
          fail('it does not', undefined, type)
        }
      },
    },
    {
      rule: 'presentation.credentials',
      statement: 'vp.verifiableCredential holds one credential JWT, as many as were asked for.',
      path: 'vp.verifiableCredential',
      evaluate: ({ vp: { verifiableCredential: held } }, { fail }) => {
        if (!Array.isArray(held)) fail('it is no array')
        else if (held.length !== 1) fail(`it holds ${held.length}`)
        else if (typeof held[0] !== 'string') fail('the credential is no JWT')
      },
    },
  ]
}

/** The rules where nothing is configured (profile/wallet, Keys). */
export const vpTokenRules = vpTokenRulesFor(defaultHolderSuites)

function notAsked(reason: string): FailedLookup {
  return { ok: false, kind: 'not-asked', reason }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

export interface VerifyVpTokenOptions {
  /** The presentation, taken apart. */
  readonly jws: ParsedJws
  /** The verifier's client_id; undefined where it is not known, which leaves its rule unchecked. */
  readonly audience: string | undefined
  /** The nonce of the request that it has to answer; undefined likewise. */
  readonly nonce: string | undefined
  /** Unix seconds. */
  readonly now: number
  /** The suites that the verifier accepts. Default: those of the profile. */
  readonly algorithms?: readonly SigningAlgorithm[]
  readonly cache?: VerificationCache | undefined
}

export interface VpTokenResult {
  readonly ok: boolean
  readonly failures: readonly VerificationFailure[]
  readonly checked: readonly CheckedRule[]
  /** Whose key is named by `kid`; that it signed is the rule `presentation.signature`. */
  readonly holderDid: string | undefined
  /** The credentials inside, not verified; what is no text is left out. */
  readonly credentials: readonly string[]
}

/**
 * Verifies a presentation by every rule, whatever the others find. The credentials inside are for
 * `verifyLearCredential`, which also compares their subject with `holderDid`. jwk, jku and x5u
 * headers are ignored.
 *
 * @see profile/verifier, Presentation
 * @assumption A-28 A-29
 */
export function verifyVpToken(options: VerifyVpTokenOptions): VpTokenResult {
  const { algorithms = defaultHolderSuites } = options
  const { header, payload } = options.jws
  const vp = asMembers(payload.vp)
  const holder =
    typeof header.kid === 'string' ? resolveHolderKey(header.kid, algorithms) : undefined
  const { failures, checked } = evaluateRules(vpTokenRulesFor(algorithms), {
    ...options,
    vp,
    holder,
  })
  const held = vp.verifiableCredential
  return {
    ok: failures.length === 0,
    failures,
    checked,
    holderDid: holder?.did,
    credentials: Array.isArray(held) ? held.filter((item) => typeof item === 'string') : [],
  }
}

function asMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
