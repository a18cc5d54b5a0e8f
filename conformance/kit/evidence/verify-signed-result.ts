import { isDeepStrictEqual } from 'node:util'
import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import { jwkThumbprint, type PublicJwk } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws, verifyJws } from '#core/crypto/jws.ts'
import { algorithmOf } from '#core/crypto/suites.ts'
import { findVerificationKey, hasRelationship } from '#core/did/did-document.ts'
import { environmentOfSigner } from '#core/did/did-org.ts'
import {
  type ExplainableKind,
  type ExplainOptions,
  factsOf,
  notRecognised,
  timeOf,
} from '#core/explanation/explanation.ts'
import { createPolicyAndSources } from '#core/explanation/policy-and-sources.ts'
import type { InputJwt } from '#core/explanation/read-input.ts'
import {
  evaluateRules,
  type FailedLookup,
  type Lookup,
  type Rule,
  type RuleResults,
} from '#core/verification/rules.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { formatTally } from '#scenarios/reports/verdicts.ts'
import { signedResultAlgorithms, signedResultType } from './operator-key.ts'
import { type SignedResult, sha256Of, summarizeResults, zSignedResult } from './signed-result.ts'

const skewSeconds = 60

/** The rules for a signed result that could be parsed as a JWS. */
export const signedResultRules: readonly Rule<SignedResultInput>[] = [
  {
    rule: 'signed-result.typ',
    statement: `typ is ${signedResultType}.`,
    fix: `Set typ in the header to ${signedResultType}.`,
    path: 'header.typ',
    evaluate: ({ parsed: { header } }, { fail }) => {
      if (header.typ !== signedResultType)
        fail(`typ is not ${signedResultType}`, undefined, header.typ)
    },
  },
  {
    rule: 'signed-result.alg',
    statement: `alg is one of ${signedResultAlgorithms.join(', ')}.`,
    fix: `Sign with ${signedResultAlgorithms.join(', ')}, and set alg accordingly.`,
    path: 'header.alg',
    evaluate: ({ parsed: { header } }, { fail }) => {
      if (algorithmIn(header.alg) === undefined)
        fail('alg is not one of them', undefined, header.alg)
    },
  },
  {
    rule: 'signed-result.key',
    statement: 'kid names the key, or the verifier provides the key.',
    fix: 'Set kid to a did:key or did:jwk that contains the key, or give the verifier the public key with --key.',
    path: 'header.kid',
    evaluate: ({ key, publicKey }, { lack, note }) => {
      if (!key.ok) lack(key)
      else if (publicKey === undefined) {
        note(
          'The holder of this key signed. The owner of the key must be confirmed by other means.',
        )
      }
    },
  },
  {
    rule: 'signed-result.curve',
    statement: "alg matches the key's curve.",
    fix: "Set alg to the algorithm of the key's curve: ES256K for secp256k1, ES256 for P-256, EdDSA for Ed25519.",
    path: 'header.alg',
    evaluate: ({ parsed: { header }, key }, { fail, lack }) => {
      if (!key.ok) lack({ ...key, kind: 'not-asked' }, 'there is no key')
      else if (algorithmOf(key.value) !== header.alg) fail('alg does not match the key')
    },
  },
  {
    rule: 'signed-result.signature',
    statement: 'The signature is valid for the key.',
    fix: 'Provide the signed file unchanged, and the public key of the operator who signed it.',
    path: 'signature',
    evaluate: ({ parsed, key }, { fail, lack }) => {
      if (!key.ok) return lack({ ...key, kind: 'not-asked' }, 'there is no key')
      const algorithms = signedResultAlgorithms.filter((name) => name === algorithmOf(key.value))
      if (!verifyJws({ jws: parsed, publicKey: key.value, algorithms })) {
        fail('the signature is not valid for the key')
      }
    },
  },
  {
    rule: 'signed-result.payload',
    statement: 'The payload contains plan, target, kit, time, counts and each check.',
    fix: 'Sign the results of a plan with testbed conformance --sign, which writes all of these members.',
    path: 'payload',
    evaluate: ({ payload }, { fail }) => {
      for (const { path, message } of payload.error?.issues ?? []) {
        fail(message, ['payload', ...path].map(String).join('.'))
      }
    },
  },
  {
    rule: 'signed-result.iss',
    statement: 'iss is the DID of kid, or kid itself.',
    fix: 'Set iss to the DID in kid, or to kid itself if it is not a DID URL.',
    path: 'payload.iss',
    evaluate: ({ parsed: { header, payload } }, { fail }) => {
      const { kid } = header
      if (typeof kid === 'string' && payload.iss !== kid.split('#', 1)[0]) {
        fail('iss is not the owner of kid', undefined, payload.iss)
      }
    },
  },
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
      const of = (...verdicts: string[]) =>
        data.checks.filter(({ verdict }) => verdicts.includes(verdict)).length
      const counted = {
        passed: of('passed'),
        failed: of('failed'),
        warned: of('warned'),
        inconclusive: of('inconclusive'),
        skipped: of('interrupted', 'not-run'),
      }
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

const algorithmIn = (alg: unknown) => signedResultAlgorithms.find((name) => name === alg)

function summaryIn(resultsJson: Uint8Array) {
  try {
    const parsed = zResults.safeParse(JSON.parse(new TextDecoder().decode(resultsJson)))
    return parsed.success ? summarizeResults(parsed.data) : undefined
  } catch {
    return undefined
  }
}

export interface VerifySignedResultOptions {
  readonly jws: string
  /** Unix seconds: the time of the verification. */
  readonly now: number
  /** The operator's key, if known by other means; otherwise the key of `kid` is used. */
  readonly publicKey?: PublicJwk | undefined
  /** Finds the key of a `kid` that is neither a did:key nor a did:jwk, such as one of a did:org. */
  readonly resolveKey?: ((kid: string) => Promise<Lookup<PublicJwk>>) | undefined
  /** The bytes of the file `results.json` that it belongs to. */
  readonly resultsJson?: Uint8Array | undefined
}

/** A signed result with its key, and what to compare it with. */
interface SignedResultInput extends VerifySignedResultOptions {
  readonly parsed: ParsedJws
  readonly payload: ReturnType<typeof zSignedResult.safeParse>
  readonly key: Lookup<PublicJwk>
}

export interface VerifiedSignedResult extends RuleResults {
  /** True if every rule passes that could be checked. */
  readonly ok: boolean
  /** Its content, if readable; believe it only if `ok` is true. */
  readonly result: SignedResult | undefined
}

/** Without this rule no other rule of a signed result can be evaluated. */
export const signedResultFormatRule: Rule<string | undefined> = {
  rule: 'signed-result.format',
  statement: 'It is a JWS in compact serialization.',
  fix: 'Provide the file that the run wrote, unchanged: one JWS in compact serialization.',
  path: '',
  evaluate: (problem, { fail }) => {
    if (problem !== undefined) fail(problem)
  },
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

/** Without a key nothing was verified; without results.json the signature is still meaningful. */
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
    return resolveKey?.(kid) ?? absent('not-asked', `the key of ${kid} cannot be resolved here`)
  }
  const own = resolveHolderKey(kid)?.publicKey
  if (own === undefined) return absent('not-found', 'kid does not resolve to a key')
  const isOther = publicKey !== undefined && jwkThumbprint(publicKey) !== jwkThumbprint(own)
  return isOther ? absent('not-found', 'kid does not name the given key') : { ok: true, value: own }
}

const absent = (kind: FailedLookup['kind'], reason: string): FailedLookup => ({
  ok: false,
  kind,
  reason,
})

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

/** The key that a DID document of the registries lists for a `kid` under assertionMethod. */
async function resolveKey(
  kid: string,
  { compact }: InputJwt,
  options: ExplainOptions,
): Promise<Lookup<PublicJwk>> {
  const unknown = {
    ok: false,
    kind: 'not-asked',
    reason: `the key of ${kid} is not known`,
  } as const
  if (!kid.startsWith('did:')) return unknown
  const { sources } = createPolicyAndSources(options, environmentOfSigner(compact))
  const document = await sources.resolveDidDocument(kid.split('#', 1)[0] ?? kid)
  if (!document.ok) return document
  const key = findVerificationKey(document.value, kid)
  return key && hasRelationship(document.value, kid, 'assertionMethod')
    ? { ok: true, value: key }
    : { ok: false, kind: 'not-found', reason: `the DID document has no key ${kid} for assertions` }
}

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
