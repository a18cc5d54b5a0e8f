import type { ScenarioHop, ScenarioResult } from '#scenarios/harness/z-results.ts'

let lastId = 0

/** A hop of a scenario with sensible defaults. */
export function createScenarioHop(overrides: Partial<ScenarioHop> = {}): ScenarioHop {
  lastId += 1
  return {
    id: lastId,
    at: Date.UTC(2026, 10, 21, 10, 0, 0, lastId),
    durationMilliseconds: 12.5,
    from: 'wallet',
    to: 'connector',
    kind: 'http',
    method: 'POST',
    url: '/token',
    status: 200,
    step: 1,
    ...overrides,
  }
}

/** The result of a scenario that passed, with one step and no hops. */
export function createScenarioResult(overrides: Partial<ScenarioResult> = {}): ScenarioResult {
  const { suite = 'issuance', name = 'representative', algorithm = 'ES256K' } = overrides
  const id = `${suite}/${name}/${algorithm}`
  return {
    id,
    suite,
    name,
    algorithm,
    title: 'A representative collects a credential',
    category: 'Issuance',
    description: 'The portal asks for a credential.\n\n- It gets a QR\n- The wallet scans it',
    references: [{ document: 'Document 1', section: 'Endpoints' }],
    verdict: 'passed',
    startedAt: '2026-11-21T10:00:00.000Z',
    durationMilliseconds: 250,
    steps: [
      {
        title: 'The wallet redeems the offer',
        beganAt: 10,
        durationMilliseconds: 200,
        verdict: 'passed',
      },
    ],
    attachments: [],
    hops: [],
    repeat: `testbed run '^${id}$'`,
    ...overrides,
  }
}
