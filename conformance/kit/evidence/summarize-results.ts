import type { Results } from '#scenarios/harness/z-results.ts'
import { tallyResults } from '#scenarios/reports/verdicts.ts'
import type { SignedResult } from './z-signed-result.ts'

/** What of the results of a plan a signature stands for. */
export type ResultsSummary = Omit<SignedResult, 'iss' | 'iat' | 'results_sha256'>

/** Sums results up as a signed result tells them; undefined for those of no plan. */
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
