import { isDeepStrictEqual } from 'node:util'
import type { PublicJwk } from '#core/crypto/jwk.ts'
import { parseJws } from '#core/crypto/jws.ts'
import {
  type ExplainableKind,
  factsOf,
  notRecognised,
  timeOf,
} from '#core/explanation/explanation.ts'
import { plainReasons } from '#core/json/plain-issues.ts'
import { evaluateRules, type Rule, type RuleResults } from '#core/verification/rules.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { formatTally, tallyResults } from '#scenarios/reports/verdicts.ts'
import { signedResultType } from './operator-key.ts'
import { type SignedResult, sha256Of, summarizeResults, zSignedResult } from './signed-result.ts'
import {
  createPayloadRule,
  createTypRule,
  findKey,
  isVital,
  type KeySources,
  resolveKey,
  type SignatureInput,
  signatureRules,
  signedResultFormatRule,
  skewSeconds,
} from './verify-signature.ts'

/** The rules for a signed result that could be parsed as a JWS. */
export const signedResultRules: readonly Rule<SignedResultInput>[] = [
  createTypRule('signed-result.typ', signedResultType),
  ...signatureRules,
  createPayloadRule({
    rule: 'signed-result.payload',
    statement: 'The payload contains plan, target, kit, time, counts and each check.',
    fix: 'Sign the results of a plan with testbed conformance --sign, which writes all of these members.',
  }),
  {
    rule: 'signed-result.iat',
    statement: 'It was signed neither in the future nor before the run.',
    fix: 'Correct the clock of the machine that runs the plan, and run it again.',
    path: 'payload.iat',
    evaluate: ({ payload: { data }, now }, { fail }) => {
      if (data === undefined) return
      if (data.iat > now + skewSeconds) fail('iat is in the future', undefined, data.iat)
      if (data.iat + skewSeconds < Date.parse(data.started_at) / 1000) {
        fail('it was signed before the run began', undefined, data.iat)
      }
    },
  },
  {
    rule: 'signed-result.counts',
    statement: 'The counts match the checks.',
    fix: 'Provide the signed file unchanged, including counts and verdicts.',
    path: 'payload.counts',
    evaluate: ({ payload: { data } }, { fail }) => {
      if (data === undefined) return
      const counted = tallyResults({ scenarios: data.checks })
      if (!isDeepStrictEqual(counted, data.counts))
        fail('the checks do not match', undefined, counted)
    },
  },
  {
    rule: 'signed-result.digest',
    statement: 'results.json is the signed file, byte for byte.',
    fix: 'Provide the results.json of the same run, unchanged.',
    path: 'payload.results_sha256',
    evaluate: ({ parsed: { payload }, resultsJson }, { fail, lack }) => {
      if (resultsJson === undefined) return lack(notGiven)
      if (sha256Of(resultsJson) !== payload.results_sha256)
        fail('the digest of results.json does not match')
    },
  },
  {
    rule: 'signed-result.verdicts',
    statement: 'results.json has the same checks with the same verdicts.',
    fix: 'Provide the results.json of the same run, unchanged.',
    path: 'payload.checks',
    evaluate: ({ payload: { data }, resultsJson }, { fail, lack }) => {
      if (resultsJson === undefined) return lack(notGiven)
      const summary = summaryIn(resultsJson)
      if (summary === undefined) return fail('results.json does not contain the results of a plan')
      const { iss, iat, results_sha256, ...signed } = data ?? {}
      if (!isDeepStrictEqual(summary, signed)) fail('results.json contains a different result')
    },
  },
]

const notGiven = {
  ok: false,
  kind: 'not-asked',
  reason: 'results.json was not provided',
} as const

function summaryIn(resultsJson: Uint8Array) {
  try {
    const parsed = zResults.safeParse(JSON.parse(new TextDecoder().decode(resultsJson)))
    return parsed.success ? summarizeResults(parsed.data) : undefined
  } catch {
    return undefined
  }
}

export interface VerifySignedResultOptions extends KeySources {
  readonly jws: string
  /** Unix seconds: the time of the verification. */
  readonly now: number
  /** The bytes of the file `results.json` that it belongs to. */
  readonly resultsJson?: Uint8Array | undefined
}

/** A signed result with its key, and what to compare it with. */
interface SignedResultInput extends VerifySignedResultOptions, SignatureInput {
  readonly payload: ReturnType<typeof zSignedResult.safeParse>
}

export interface VerifiedSignedResult extends RuleResults {
  /** True if every rule passes that could be checked. */
  readonly ok: boolean
  /** Its content, if readable; believe it only if `ok` is true. */
  readonly result: SignedResult | undefined
}

/**
 * Verifies a signed result. Each rule is evaluated independently of the others, and a rule without
 * its inputs never counts in favour. Never throws because of the input.
 */
export async function verifySignedResult(
  options: VerifySignedResultOptions,
): Promise<VerifiedSignedResult> {
  const parsed = parseJws(options.jws.trim())
  const format = evaluateRules([signedResultFormatRule], parsed.ok ? undefined : parsed.reason)
  if (!parsed.ok) return { ok: false, result: undefined, ...format }
  const payload = zSignedResult.safeParse(parsed.payload, plainReasons)
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

/** What to compare a signed result with, in addition to its own content. */
export interface SignedResultKindOptions {
  /** The operator's key, if known by other means. */
  readonly publicKey?: PublicJwk | undefined
  /** The `results.json` that it belongs to. */
  readonly resultsJson?: Uint8Array | undefined
}

/** Its stable name as a kind. */
export const signedResultKind = 'signed-conformance-result'

/** The signed result of a conformance plan, for explanations: rule by rule, and what it says. */
export const createSignedResultKind = (against: SignedResultKindOptions): ExplainableKind => ({
  kind: signedResultKind,
  title: 'signed conformance result',
  recognise: ({ jwt, jwtProblem }) => {
    if (!jwt) return notRecognised(`it is not a JWT: ${jwtProblem}`)
    if (jwt.jws.header.typ !== signedResultType) {
      return notRecognised(`typ is not ${signedResultType}`)
    }
    return {
      ok: true,
      by: `a JWT whose typ is ${signedResultType}`,
      explain: async (options) => {
        const { result, failures, checked } = await verifySignedResult({
          jws: jwt.compact,
          now: options.now,
          ...against,
          resolveKey: (kid) => resolveKey(kid, jwt, options),
        })
        const { header, payload } = jwt.jws
        return {
          failures,
          checked,
          facts: result === undefined ? [] : describe(result),
          content: { header, payload },
        }
      },
    }
  },
})

function describe({ iss, iat, plan, target, kit, strict, counts, ...rest }: SignedResult) {
  const failed = rest.checks.filter(({ verdict }) => verdict === 'failed')
  return factsOf([
    ['Plan', plan],
    ['Target', target.name],
    ['Addresses', Object.entries(target.addresses).map(([part, url]) => `${part} ${url}`)],
    ['Result', formatTally(counts, true)],
    ['Failed', failed.map(({ id }) => id)],
    ['Checks', rest.selection === undefined ? 'all of the plan' : `only ${rest.selection}`],
    ['Strict', strict ? 'yes' : 'no'],
    ['Interrupted', rest.interrupted ? 'yes' : undefined],
    ['Kit', kit.commit === undefined ? kit.version : `${kit.version}, commit ${kit.commit}`],
    ['Run', rest.started_at],
    ['Signed', timeOf(iat)],
    ['By', iss],
  ])
}
