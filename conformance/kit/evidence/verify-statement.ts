import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { PublicJwk } from '#core/crypto/jwk.ts'
import {
  type ExplainableKind,
  factsOf,
  notRecognised,
  timeOf,
} from '#core/explanation/explanation.ts'
import type { InputJwt } from '#core/explanation/read-input.ts'
import { plainReasons } from '#core/json/plain-issues.ts'
import { evaluateRules, type Rule, type RuleResults } from '#core/verification/rules.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { formatTally, tallyResults } from '#scenarios/reports/verdicts.ts'
import { type OperatorKey, signAsOperator, statementType } from './operator-key.ts'
import { sha256Of, zSignedResult } from './signed-result.ts'
import {
  createStatement,
  listKits,
  listTargets,
  newestRunOf,
  type Statement,
  zStatement,
} from './statement.ts'
import {
  createPayloadRule,
  createTypRule,
  findKey,
  type KeySources,
  resolveKey,
  type SignatureInput,
  signatureRules,
  skewSeconds,
} from './verify-signature.ts'

const { results_sha256: zSha256, iss, iat } = zSignedResult.shape

/** Payload of `statement.jws`: the statement, and the SHA-256 (hex) of its two readable forms. */
const zSignedStatement = zStatement.extend({
  iss,
  iat,
  files_sha256: z.object({ 'statement.json': zSha256, 'statement.md': zSha256 }),
})

type SignedStatement = z.infer<typeof zSignedStatement>
type StatementFile = keyof SignedStatement['files_sha256']

export interface SignStatementOptions {
  readonly statement: Statement
  /** The bytes of the files next to it. */
  readonly files: Readonly<Record<StatementFile, Uint8Array>>
  readonly key: OperatorKey
  /** Unix seconds. */
  readonly now: number
}

/** Signs a statement as a JWS in compact serialization: the file `statement.jws`. */
export function signStatement({ statement, files, key, now }: SignStatementOptions): string {
  const payload: Omit<SignedStatement, 'iss' | 'iat'> = {
    ...statement,
    files_sha256: {
      'statement.json': sha256Of(files['statement.json']),
      'statement.md': sha256Of(files['statement.md']),
    },
  }
  return signAsOperator({ typ: statementType, payload, key, now })
}

/** A signed statement with its key, and the files next to it. */
interface StatementInput extends SignatureInput {
  readonly payload: ReturnType<typeof zSignedStatement.safeParse>
  /** Unix seconds: the time of the verification. */
  readonly now: number
  /** The files that the statement names, by name; undefined if a file is missing. */
  readonly files: ReadonlyMap<string, Uint8Array | undefined>
}

/** The rules for a signed statement, in addition to those for every signature of an operator. */
export const statementRules: readonly Rule<StatementInput>[] = [
  createTypRule('statement.typ', statementType),
  createPayloadRule({
    rule: 'statement.payload',
    statement: 'The payload contains product, version, plans, runs, counts and each check.',
    fix: 'Build the statement with testbed report merge --sign, which writes all of these members.',
  }),
  {
    rule: 'statement.iat',
    statement: 'It was signed neither in the future nor before its newest run.',
    fix: 'Correct the clock of the machine that signs, and build the statement again.',
    path: 'payload.iat',
    evaluate: ({ payload: { data }, now }, { fail }) => {
      if (data === undefined) return
      if (data.iat > now + skewSeconds) fail('iat is in the future', undefined, data.iat)
      if (data.iat + skewSeconds < newestRunOf(data)) {
        fail('it was signed before its newest run began', undefined, data.iat)
      }
    },
  },
  {
    rule: 'statement.counts',
    statement: 'The counts of each plan match its checks.',
    fix: 'Provide the signed file unchanged, including counts and verdicts.',
    path: 'payload.plans',
    evaluate: ({ payload: { data } }, { fail }) => {
      for (const { plan, checks, counts } of data?.plans ?? []) {
        const counted = tallyResults({ scenarios: checks })
        if (!isDeepStrictEqual(counted, counts)) {
          fail(`the checks of the ${plan} plan do not match`, undefined, counted)
        }
      }
    },
  },
  {
    rule: 'statement.files',
    statement: 'Each file next to the statement is the signed file, byte for byte.',
    fix: 'Provide statement.json, statement.md and each results file as testbed report merge wrote them.',
    path: 'payload',
    evaluate: ({ payload: { data }, files }, { fail, lack }) => {
      if (data === undefined) return
      const digests = digestsIn(data)
      const missing = digests.filter(([name]) => files.get(name) === undefined)
      if (missing.length > 0) lack(notGiven(missing))
      for (const [name, digest] of digests) {
        const bytes = files.get(name)
        if (bytes && sha256Of(bytes) !== digest) fail(`the digest of ${name} does not match`)
      }
    },
  },
  {
    rule: 'statement.verdicts',
    statement: 'The results files have the same checks with the same verdicts.',
    fix: 'Provide the results files unchanged, or build the statement again from the runs.',
    path: 'payload.plans',
    evaluate: ({ payload: { data }, files }, { fail, lack }) => {
      if (data === undefined) return
      const runs = data.plans.flatMap((plan) => plan.runs.map(({ file }) => file))
      const missing = runs.filter((name) => files.get(name) === undefined)
      if (missing.length > 0) return lack(notGiven(missing.map((name) => [name])))
      const { iss, iat, files_sha256, ...signed } = data
      const rebuilt = rebuild(
        signed,
        runs.flatMap((name) => files.get(name) ?? []),
      )
      if (!isDeepStrictEqual(rebuilt, signed)) fail('the results files contain different results')
    },
  },
]

const digestsIn = ({ plans, files_sha256 }: SignedStatement): (readonly [string, string])[] => [
  ...Object.entries(files_sha256),
  ...plans.flatMap(({ runs }) => runs.map(({ file, sha256 }) => [file, sha256] as const)),
]

const notGiven = (missing: readonly (readonly [name: string, ...unknown[]])[]) =>
  ({
    ok: false,
    kind: 'not-asked',
    reason: `not provided: ${missing.map(([name]) => name).join(', ')}`,
  }) as const

/** The statement that these results lead to; undefined if they lead to none. */
function rebuild({ product }: Statement, files: readonly Uint8Array[]): Statement | undefined {
  try {
    const runs = files.map((resultsJson) => ({
      resultsJson,
      results: zResults.parse(JSON.parse(new TextDecoder().decode(resultsJson))),
    }))
    return createStatement({ product, runs })
  } catch {
    return undefined
  }
}

interface VerifyStatementOptions extends KeySources {
  readonly jwt: InputJwt
  readonly now: number
  /** The bytes of a file next to the statement; undefined if it is missing. */
  readonly readBeside: (name: string) => Promise<Uint8Array | undefined>
}

/** Evaluates each rule of a signed statement independently of the others. */
async function verifyStatement(
  options: VerifyStatementOptions,
): Promise<RuleResults & { readonly statement: SignedStatement | undefined }> {
  const { jwt, readBeside } = options
  const payload = zSignedStatement.safeParse(jwt.jws.payload, plainReasons)
  // The schema admits only plain file names, so that a statement cannot make anyone read others.
  const names = payload.data === undefined ? [] : digestsIn(payload.data).map(([name]) => name)
  const files = await Promise.all(
    names.map(async (name) => [name, await readBeside(name)] as const),
  )
  const key = await findKey(jwt.jws, options)
  const input = { ...options, parsed: jwt.jws, payload, key, files: new Map(files) }
  return {
    ...evaluateRules<StatementInput>([...signatureRules, ...statementRules], input),
    statement: payload.data,
  }
}

/** What to compare a statement with, in addition to its own content. */
export interface StatementKindOptions extends Pick<VerifyStatementOptions, 'readBeside'> {
  /** The signer's key, if known by other means. */
  readonly publicKey?: PublicJwk | undefined
}

/** Its stable name as a kind. */
export const statementKind = 'conformance-statement'

/** The signed statement about a product, for explanations: rule by rule, and what it says. */
export const createStatementKind = (against: StatementKindOptions): ExplainableKind => ({
  kind: statementKind,
  title: 'signed conformance statement',
  recognise: ({ jwt, jwtProblem }) => {
    if (!jwt) return notRecognised(`it is not a JWT: ${jwtProblem}`)
    if (jwt.jws.header.typ !== statementType) return notRecognised(`typ is not ${statementType}`)
    return {
      ok: true,
      by: `a JWT whose typ is ${statementType}`,
      explain: async (options) => {
        const { statement, failures, checked } = await verifyStatement({
          jwt,
          now: options.now,
          ...against,
          resolveKey: (kid) => resolveKey(kid, jwt, options),
        })
        const { header, payload } = jwt.jws
        const facts = statement === undefined ? [] : describe(statement)
        return { failures, checked, facts, content: { header, payload } }
      },
    }
  },
})

function describe(statement: SignedStatement) {
  const { product, plans, iss, iat } = statement
  const checks = plans.flatMap((plan) => plan.checks)
  const idsOf = (wanted: readonly (typeof checks)[number][]) => wanted.map(({ id }) => id)
  return factsOf([
    ['Product', `${product.name} ${product.version}`],
    ['Vendor', product.vendor],
    ...plans.map(({ plan, whole, counts }) => {
      return [whole ? `Plan ${plan}` : `Part of plan ${plan}`, formatTally(counts, true)] as const
    }),
    ['Failed', idsOf(checks.filter(({ verdict }) => verdict === 'failed'))],
    ['Unstable', idsOf(checks.filter(({ unstable }) => unstable))],
    ['Targets', listTargets(statement)],
    ['Kit', listKits(statement)],
    ['Signed', timeOf(iat)],
    ['By', iss],
  ])
}
