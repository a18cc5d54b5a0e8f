import type { Results } from '#scenarios/harness/z-results.ts'
import { createScenarioResult } from './create-scenario-result.ts'

/** Results of a run with one scenario that passed. */
export function createResults(overrides: Partial<Results> = {}): Results {
  return {
    schemaVersion: 1,
    startedAt: '2026-11-21T10:00:00.000Z',
    durationMilliseconds: 1234,
    interrupted: false,
    environment: 'pre',
    warnings: [],
    scenarios: [createScenarioResult()],
    ...overrides,
  }
}
