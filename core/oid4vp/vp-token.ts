import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws, type SigningKey, signJws, verifyJws } from '#core/crypto/jws.ts'
import { algorithmOf, defaultHolderSuites, type SigningAlgorithm } from '#core/crypto/suites.ts'
import { isJsonObject, membersOf } from '#core/json/json-object.ts'
import { parseJson } from '#core/json/read-json.ts'
import { isTime } from '#core/verification/data-model.ts'
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
 * Creates a presentation, signed by the holder (profile/verifier, Presentation).
 *
 * @row 1.resources-and-their-fields/presentation-token.1..2
 */
export function createVpToken(options: CreateVpTokenOptions): string {
  const { holderDid, kid, privateKey, audience, nonce, credentials, now, lifetime = 300 } = options
  const alg = algorithmOf(privateKey)
  if (!alg) throw new TypeError('no algorithm matches the key')
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
 * Parses a presentation: a JWT whose header and payload are JSON objects without excessive nesting.
 * Undefined for anything else, which does not count as a presentation.
 *
 * @assumption A-30
 */
export function parseVpToken(vpToken: string | undefined): ParsedJws | undefined {
  const jws = vpToken === undefined ? undefined : parseJws(vpToken)
  return jws?.ok ? jws : undefined
}

/**
 * The required form of the field vp_token; without it the other rules cannot be checked
 * (profile/verifier, Response endpoint).
 */
export const vpTokenFormRule: Rule<unknown> = {
  rule: 'presentation.form',
  statement: 'vp_token is a single presentation, a JWT.',
  fix: 'Post vp_token as one JWT string, not as an array or an object with query ids.',
  path: 'vp_token',
  evaluate: (vpToken, { fail }) => {
    const isText = typeof vpToken === 'string'
    const jws = isText ? parseJws(vpToken) : undefined
    if (jws?.ok) return
    // A form has lists and objects as their JSON.
    const value = isText ? parseJson(vpToken) : vpToken
    if (Array.isArray(value)) fail('it is a list')
    else if (isJsonObject(value)) {
      fail('it is an object with the query ids as names, the form of later revisions')
    } else if (jws) fail(`it is not a valid JWT: ${jws.reason}`)
    else fail(vpToken === undefined ? 'it is missing' : 'it is not a string')
  },
}

/** A decoded presentation with the values from its request. */
export interface VpTokenContext extends Omit<VerifyVpTokenOptions, 'algorithms'> {
  /** The `vp` claim; empty if missing. */
  readonly vp: Readonly<Record<string, unknown>>
  /** The holder's key, from the DID in `kid`. */
  readonly holder: ReturnType<typeof resolveHolderKey>
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
      fix: 'Set typ in the header to JWT.',
      path: 'header.typ',
      evaluate: ({ jws }, { fail }) => {
        if (jws.header.typ !== 'JWT') fail('it is not JWT', undefined, jws.header.typ)
      },
    },
    {
      rule: 'presentation.algorithm',
      statement: `alg is one of ${presentationSuites.join(', ')}.`,
      fix: `Sign with ${presentationSuites.join(' or ')}, and set alg accordingly.`,
      path: 'header.alg',
      evaluate: ({ jws }, { fail }) => {
        if (!presentationSuites.some((name) => name === jws.header.alg)) {
          fail('this algorithm is not accepted', undefined, jws.header.alg)
        }
      },
    },
    {
      rule: 'presentation.kid',
      statement: 'kid is the DID URL of a key in a did:key or did:jwk.',
      fix: "Set kid to the DID URL of the holder's key, with its fragment: did:key:z…#z… or did:jwk:…#0.",
      path: 'header.kid',
      evaluate: ({ jws, holder }, { fail }) => {
        if (!holder) fail('it does not name such a key', undefined, jws.header.kid)
      },
    },
    {
      rule: 'presentation.issuer',
      statement: 'iss is the DID in kid.',
      fix: 'Set iss to the DID in kid, without the fragment.',
      path: 'iss',
      evaluate: ({ jws }, { fail }) => {
        const { kid } = jws.header
        if (typeof kid !== 'string' || jws.payload.iss !== kid.split('#')[0]) {
          fail('it does not match the DID in kid', undefined, jws.payload.iss)
        }
      },
    },
    {
      rule: 'presentation.signature',
      statement: "The signature verifies with the holder's key.",
      fix: 'Sign with the private key of the DID in kid. Encode an ECDSA signature as r and s, 64 bytes, not as DER.',
      path: '',
      evaluate: ({ jws, holder, cache }, { fail }) => {
        if (
          !holder ||
          !verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })
        ) {
          fail('the signature does not verify')
        }
      },
    },
    {
      rule: 'presentation.audience',
      statement: "aud is the verifier's client_id.",
      fix: 'Set aud to the client_id of the request, and to nothing else.',
      path: 'aud',
      evaluate: ({ jws, audience }, { fail, lack }) => {
        const { aud } = jws.payload
        // RFC 7519, 4.1.3: a single audience may be the only element of an array. Any of several
        // could replay the presentation to the others.
        const [only, ...others] = [aud].flat()
        if (audience === undefined) lack(notAsked("the verifier's client_id is not known"))
        else if (only !== audience || others.length > 0)
          fail(`it is not ${audience}`, undefined, aud)
      },
    },
    {
      rule: 'presentation.nonce',
      statement: 'nonce is the nonce of the request.',
      fix: 'Copy nonce from the request that you answer.',
      path: 'nonce',
      evaluate: ({ jws, nonce }, { fail, lack }) => {
        if (nonce === undefined) lack(notAsked("the request's nonce is not known"))
        else if (jws.payload.nonce !== nonce) fail('it is missing or does not match')
      },
    },
    {
      rule: 'presentation.issued-at',
      statement: `iat is present and at most ${skewSeconds} s in the future.`,
      fix: `Set iat to the current time in Unix seconds. The wallet's clock may be at most ${skewSeconds} s fast.`,
      path: 'iat',
      evaluate: ({ jws, now }, { fail }) => {
        const { iat } = jws.payload
        if (!isTime(iat)) fail('it is missing or not a valid time', undefined, iat)
        else if (iat > now + skewSeconds) fail('it is in the future', undefined, iat)
      },
    },
    {
      rule: 'presentation.expiry',
      statement: `exp is present, in the future, and at most ${longestLifetime / 60} minutes after iat.`,
      fix: `Set exp, in Unix seconds, to at most ${longestLifetime / 60} minutes after iat, and present before then.`,
      path: 'exp',
      evaluate: ({ jws, now }, { fail }) => {
        const { exp, iat } = jws.payload
        if (!isTime(exp)) {
          fail('it is missing or not a valid time', undefined, exp)
          return
        }
        if (now >= exp) fail('the presentation has expired', undefined, exp)
        if (isTime(iat) && exp - iat > longestLifetime)
          fail(`it is more than ${longestLifetime / 60} minutes after iat`, undefined, exp)
      },
    },
    {
      rule: 'presentation.not-before',
      statement: `nbf, if present, is at most ${skewSeconds} s in the future.`,
      fix: 'Omit nbf, or set it to the current time in Unix seconds.',
      path: 'nbf',
      evaluate: ({ jws, now }, { fail }) => {
        const { nbf } = jws.payload
        if (nbf !== undefined && !(isTime(nbf) && nbf <= now + skewSeconds)) {
          fail('it is in the future or not a valid time', undefined, nbf)
        }
      },
    },
    {
      rule: 'presentation.context',
      statement: `vp.@context starts with ${presentationContext}.`,
      fix: `Make ${presentationContext} the first element of vp.@context.`,
      path: 'vp.@context.0',
      evaluate: ({ vp }, { fail }) => {
        const context = vp['@context']
        if (!Array.isArray(context) || context[0] !== presentationContext) {
          fail(`it is missing or does not start with ${presentationContext}`)
        }
      },
    },
    {
      rule: 'presentation.type',
      statement: 'vp.type contains VerifiablePresentation.',
      fix: 'Make vp.type an array that contains VerifiablePresentation.',
      path: 'vp.type',
      evaluate: ({ vp: { type } }, { fail }) => {
        if (!Array.isArray(type) || !type.includes('VerifiablePresentation')) {
          fail('it does not contain VerifiablePresentation', undefined, type)
        }
      },
    },
    {
      rule: 'presentation.credentials',
      statement: 'vp.verifiableCredential contains exactly one credential JWT, as requested.',
      fix: 'Make vp.verifiableCredential an array with exactly one credential, as a JWT string.',
      path: 'vp.verifiableCredential',
      evaluate: ({ vp: { verifiableCredential: held } }, { fail }) => {
        if (!Array.isArray(held)) fail('it is not an array')
        else if (held.length !== 1) fail(`it contains ${held.length} credentials`)
        else if (typeof held[0] !== 'string') fail('the credential is not a JWT')
      },
    },
  ]
}

/** The default rules (profile/wallet, Keys). */
export const vpTokenRules = vpTokenRulesFor(defaultHolderSuites)

function notAsked(reason: string): FailedLookup {
  return { ok: false, kind: 'not-asked', reason }
}

export interface VerifyVpTokenOptions {
  /** The presentation, parsed. */
  readonly jws: ParsedJws
  /** The verifier's client_id. If undefined (unknown), its rule is unchecked. */
  readonly audience: string | undefined
  /** The nonce of the request. If undefined (unknown), its rule is unchecked. */
  readonly nonce: string | undefined
  /** Unix seconds. */
  readonly now: number
  /** The suites that the verifier accepts. Default: the suites of the profile. */
  readonly algorithms?: readonly SigningAlgorithm[]
  readonly cache?: VerificationCache | undefined
}

export interface VpTokenResult {
  readonly ok: boolean
  readonly failures: readonly VerificationFailure[]
  readonly checked: readonly CheckedRule[]
  /** The DID of the key in `kid`. The rule `presentation.signature` checks that it signed. */
  readonly holderDid: string | undefined
  /**
   * The credentials in the presentation, not verified; elements that are not strings are omitted.
   */
  readonly credentials: readonly string[]
}

/**
 * Verifies a presentation against every rule, even after a failure. `verifyLearCredential` verifies
 * the credentials in it and compares their subject with `holderDid`. jwk, jku and x5u headers are
 * ignored.
 *
 * @see profile/verifier, Presentation
 * @assumption A-28 A-29
 */
export function verifyVpToken(options: VerifyVpTokenOptions): VpTokenResult {
  const { algorithms = defaultHolderSuites } = options
  const { header, payload } = options.jws
  const vp = membersOf(payload.vp)
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
