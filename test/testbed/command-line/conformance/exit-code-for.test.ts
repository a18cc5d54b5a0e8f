import { expect, it } from 'vitest'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { createCheckResult, createConformanceResults } from '#test/support/results.ts'
import { exitCodeFor } from '#testbed/command-line/commands/conformance.ts'

const passed = createCheckResult({ verdict: 'passed' })
const warned = createCheckResult({ verdict: 'warned' })
const undecided = createCheckResult({ verdict: 'inconclusive' })
const failed = createCheckResult({ verdict: 'failed' })
const stopped = (code: string) =>
  createCheckResult({ verdict: 'inconclusive', failure: { code, message: 'It broke off.' } })

// Interfaces, section 2: 0 all passed, 1 some failed, 130 interrupted.
it.each<[string, readonly ScenarioResult[], boolean, number]>([
  ['warnings and what is undecided beside a PASS', [passed, warned, undecided], false, 0],
  ['the same in a strict run', [passed, warned, undecided], true, 1],
  ['a FAIL', [passed, failed], false, 1],
  ['nothing decided', [undecided, undecided], false, 1],
  ['a fault of the kit beside a PASS', [passed, stopped('kit_error')], false, 1],
  ['a target that fell silent after a PASS', [passed, stopped('target_silent')], false, 1],
])('%s: the exit code is right', (_, scenarios, strict, code) => {
  const results = createConformanceResults({ scenarios: [...scenarios] })
  expect(exitCodeFor(results, strict)).toBe(code)
  expect(exitCodeFor({ ...results, interrupted: true }, strict)).toBe(130)
})
