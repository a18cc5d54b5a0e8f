import { expect, it } from 'vitest'
import type { PlanName } from '#conformance/kit/check.ts'
import { readExcludedMutants } from '#test/conformance/mutation/generated/excluded-mutants.ts'
import { runGenerated } from '#test/conformance/mutation/generated/run-generated.ts'
import { formatResult, scoreOf } from '#test/conformance/mutation/generated/score.ts'

/** Somewhat below the scores of 2026-11-27. Raise them when new checks have raised the scores. */
const measured: readonly { readonly plan: PlanName; readonly score: number }[] = [
  { plan: 'wallet', score: 0.85 },
  { plan: 'verifier', score: 0.88 },
  { plan: 'issuer', score: 0.85 },
  { plan: 'did-registry', score: 0.85 },
  { plan: 'idp', score: 0.84 },
  { plan: 'tir', score: 0.88 },
]

const sample = 60
/** A score this many standard deviations below the measured one is not chance. */
const deviations = 3

// Another plan and another sample each day: over time, every mutant has its turn.
const seed = new Date().toISOString().slice(0, 10)
const { plan, score } = measured[Math.floor(Date.parse(seed) / 86_400_000) % measured.length] ?? {
  plan: 'tir',
  score: 1,
}
const bound = score - deviations * Math.sqrt((score * (1 - score)) / sample)

it(`the plan ${plan} kills at least ${Math.round(100 * bound)} % of the sample ${seed}`, async () => {
  const result = await runGenerated({ plan, sample, seed, jobs: 2 })
  const excluded = readExcludedMutants(plan)
  const { counted, adjusted } = scoreOf(result.outcomes, excluded)
  console.log(formatResult(result, excluded))
  expect(counted).toBeGreaterThan(sample / 2)
  expect(adjusted).toBeGreaterThanOrEqual(bound)
}, 900_000)
