import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import { jwkThumbprint, type PublicJwk } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws } from '#core/crypto/jws.ts'
import {
  evaluateRules,
  type FailedLookup,
  type Lookup,
  type Rule,
  type RuleResults,
} from '#core/verification/rules.ts'
import { signedResultRules } from './signed-result-rules.ts'
import { type SignedResult, zSignedResult } from './z-signed-result.ts'

export interface VerifySignedResultOptions {
  readonly jws: string
  /** Unix seconds: the time to judge at. */
  readonly now: number
  /** The operator's key, known by other means; else that of `kid` counts. */
  readonly publicKey?: PublicJwk | undefined
  /** Finds the key of a `kid` that is neither a did:key nor a did:jwk, such as one of a did:org. */
  readonly resolveKey?: ((kid: string) => Promise<Lookup<PublicJwk>>) | undefined
  /** The `results.json` that it belongs to, as it stands in its file. */
  readonly resultsJson?: Uint8Array | undefined
}

/** A signed result with its key, and what it is held against. */
export interface SignedResultInput extends VerifySignedResultOptions {
  readonly parsed: ParsedJws
  readonly payload: ReturnType<typeof zSignedResult.safeParse>
  readonly key: Lookup<PublicJwk>
}

export interface VerifiedSignedResult extends RuleResults {
  /** True where every rule holds that could be checked. */
  readonly ok: boolean
  /** What it says, where that can be read; believe it only where `ok` is true. */
  readonly result: SignedResult | undefined
}

const formatRule: Rule<string | undefined> = {
  rule: 'signed-result.format',
  statement: 'It is a JWS in compact form.',
  path: '',
  evaluate: (problem, { fail }) => {
    if (problem !== undefined) fail(problem)
  },
}

/**
 * Verifies a signed result: each rule is evaluated, whatever the others say, and none counts in
 * favour for which something is missing. Never throws for what the input holds.
 */
export async function verifySignedResult(
  options: VerifySignedResultOptions,
): Promise<VerifiedSignedResult> {
  const parsed = parseJws(options.jws.trim())
  const format = evaluateRules([formatRule], parsed.ok ? undefined : parsed.reason)
  if (!parsed.ok) return { ok: false, result: undefined, ...format }
  const payload = zSignedResult.safeParse(parsed.payload)
  const key = await findKey(parsed, options)
  const own = evaluateRules(signedResultRules, { ...options, parsed, payload, key })
  const isBroken = own.failures.some(
    ({ rule, unchecked }) => unchecked === undefined || isVital(rule),
  )
  return {
    ok: !isBroken,
    result: payload.data,
    failures: own.failures,
    checked: [...format.checked, ...own.checked],
  }
}

/** Without a key nothing was verified; without results.json the signature still stands. */
const isVital = (rule: string) => rule === 'signed-result.key'

async function findKey(
  { header: { kid } }: ParsedJws,
  { publicKey, resolveKey }: VerifySignedResultOptions,
): Promise<Lookup<PublicJwk>> {
  if (typeof kid !== 'string') {
    return publicKey ? { ok: true, value: publicKey } : absent('not-found', 'there is no kid')
  }
  if (!/^did:(key|jwk):/.test(kid)) {
    if (publicKey) return { ok: true, value: publicKey }
    return (
      resolveKey?.(kid) ?? absent('not-asked', `nobody is known here who has the key of ${kid}`)
    )
  }
  const own = resolveHolderKey(kid)?.publicKey
  if (own === undefined) return absent('not-found', 'kid does not resolve to a key')
  const isOther = publicKey !== undefined && jwkThumbprint(publicKey) !== jwkThumbprint(own)
  return isOther
    ? absent('not-found', 'kid names another key than the one given')
    : { ok: true, value: own }
}

const absent = (kind: FailedLookup['kind'], reason: string): FailedLookup => ({
  ok: false,
  kind,
  reason,
})
