import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Results, zResults } from '#scenarios/harness/z-results.ts'
import { tallyResults } from '#scenarios/reports/verdicts.ts'
import { type OperatorKey, signAsOperator, signedResultType } from './operator-key.ts'

const zCount = z.int().min(0)
const zScenario = zResults.shape.scenarios.element

/**
 * Payload of a signed result: what was tested, with which kit, and the verdict on each check.
 * `results_sha256` is the SHA-256 of the `results.json` that it belongs to, in hex, as `sha256sum`
 * prints it.
 */
export const zSignedResult = z.object({
  iss: z.string().min(1),
  /** Unix seconds: when it was signed. */
  iat: z.int(),
  plan: z.string(),
  target: z.object({ name: z.string(), addresses: z.record(z.string(), z.string()) }),
  /** When the plan started. */
  started_at: z.iso.datetime(),
  kit: z.object({ version: z.string(), commit: z.string().optional() }),
  strict: z.boolean(),
  /** The run was interrupted: checks that would have failed may not have run. */
  interrupted: z.boolean(),
  /** Regular expression that selected the checks; omitted if the whole plan was selected. */
  selection: z.string().optional(),
  counts: z.object({
    passed: zCount,
    failed: zCount,
    warned: zCount,
    inconclusive: zCount,
    skipped: zCount,
  }),
  checks: z.array(
    z.object({
      id: z.string(),
      level: z.enum(['spec', 'final', 'practice']),
      verdict: zScenario.shape.verdict,
      reason: z.string(),
    }),
  ),
  results_sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export type SignedResult = z.infer<typeof zSignedResult>

/** SHA-256 in hex, as `sha256sum` prints it. */
export const sha256Of = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** What a signature covers of the results of a plan. */
export type ResultsSummary = Omit<SignedResult, 'iss' | 'iat' | 'results_sha256'>

/** Summarizes results for a signed result; undefined if they are not the results of a plan. */
export function summarizeResults(results: Results): ResultsSummary | undefined {
  const { conformance, scenarios, startedAt, interrupted, pattern } = results
  if (conformance === undefined) return undefined
  const { plan, target, strict, kitVersion, commit } = conformance
  return {
    plan,
    target: { name: target.name, addresses: target.addresses },
    started_at: startedAt,
    kit: { version: kitVersion, ...(commit === undefined ? {} : { commit }) },
    strict,
    interrupted,
    ...(pattern === undefined ? {} : { selection: pattern }),
    counts: tallyResults(results),
    checks: scenarios.flatMap(({ check, verdict }) =>
      check === undefined
        ? []
        : [{ id: check.id, level: check.level, verdict, reason: check.reason }],
    ),
  }
}

export interface SignResultOptions {
  /** The bytes of the file `results.json`, which the signature covers. */
  readonly resultsJson: Uint8Array
  readonly key: OperatorKey
  /** Unix seconds. */
  readonly now: number
}

/**
 * Signs the results of a plan as a JWS in compact serialization, to show to other organizations.
 * @throws TypeError if the bytes are not the results of a plan
 */
export function signResult({ resultsJson, key, now }: SignResultOptions): string {
  const results: Results = zResults.parse(JSON.parse(new TextDecoder().decode(resultsJson)))
  const summary = summarizeResults(results)
  if (summary === undefined) throw new TypeError('only the results of a plan can be signed')
  const payload: Omit<SignedResult, 'iss' | 'iat'> = {
    ...summary,
    results_sha256: sha256Of(resultsJson),
  }
  return signAsOperator({ typ: signedResultType, payload, key, now })
}
