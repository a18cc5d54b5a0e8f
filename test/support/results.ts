import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineScenario, type Scenario } from '#scenarios/harness/define-scenario.ts'
import {
  type CheckResult,
  type Conformance,
  type Results,
  type ScenarioHop,
  type ScenarioResult,
  zResults,
} from '#scenarios/harness/z-results.ts'

/** The results in the report of a run. */
export const readResults = (folder: string): Results =>
  zResults.parse(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')))

/** The verdicts in the report of a run: `issuance/representative/EdDSA passed`. */
export const verdictsIn = (folder: string): string[] =>
  readResults(folder).scenarios.map(({ id, verdict }) => `${id} ${verdict}`)

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
    references: [{ document: 'Profile', section: '1.endpoints' }],
    file: `scenarios/suites/${suite}/${name}.ts`,
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

export type CheckResultOverrides = Partial<Omit<ScenarioResult, 'check'>> & {
  readonly check?: Partial<CheckResult>
}

/** The result of a check of the plan for verifiers that passed, with one exchange. */
export function createCheckResult(overrides: CheckResultOverrides = {}) {
  const { check: checkOverrides, ...others } = overrides
  const { id = 'V05' } = checkOverrides ?? {}
  const name = others.name ?? `${id}-bad-vp-signature`
  return {
    ...createScenarioResult({
      suite: 'verifier',
      name,
      title: 'A presentation whose signature is wrong is refused',
      category: 'Conformance of the verifier',
      description: 'If a verifier accepts it, anyone who has seen a credential can log in.',
      file: `conformance/plans/verifier/checks/${name}.ts`,
      steps: [],
      hops: [
        createScenarioHop({
          step: 0,
          from: 'wallet',
          to: 'verifier under test',
          url: 'https://verifier.example/responses/1?state=2',
          requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
          requestBody: { vp_token: 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJkaWQ6a2V5OnoxIn0.…' },
          responseBody: { status: 'ok' },
        }),
      ],
      repeat: `testbed conformance verifier '^${id}$' --target verifier.yaml`,
      ...others,
      id: `verifier/${name}`,
    }),
    check: {
      id,
      plan: 'verifier',
      level: 'spec',
      expectation: 'refuse',
      rules: [{ id: '1.verification/row.3', text: 'The signature of the VP is verified.' }],
      clauses: ['OpenID4VP 1.0, 8.6'],
      sends: 'a presentation whose signature has one bit turned',
      decides: 'the status that the verifier reports for the session',
      fix: 'Verify the signature of vp_token with the key of its kid, and return 400.',
      verdictSource: 'status poll: $.status = FAILED',
      reason: 'The presentation was refused: HTTP 400 invalid_request',
      ...checkOverrides,
    },
  } satisfies ScenarioResult
}

/** Results of a run of the plan for verifiers. */
export function createConformanceResults({
  conformance,
  ...overrides
}: Partial<Omit<Results, 'conformance'>> & { readonly conformance?: Partial<Conformance> } = {}) {
  return createResults({
    scenarios: [createCheckResult()],
    ...overrides,
    conformance: {
      plan: 'verifier',
      target: {
        name: 'Acme verifier',
        description: 'version 3 on the staging server',
        addresses: { verifier: 'https://verifier.example' },
      },
      strict: false,
      kitVersion: '0.7.0',
      ...conformance,
    },
  })
}

/** One check of each verdict: V01 failed, V02 warned, V03 inconclusive, V04 passed, V05 not run. */
export function createMixedChecks(): ScenarioResult[] {
  const of = (id: string, verdict: ScenarioResult['verdict'], reason: string) =>
    createCheckResult({ verdict, check: { id, reason }, name: `${id}-made-up` })
  const accepted = 'The presentation was accepted: HTTP 200'
  const slow = 'The verifier answers after 9 s'
  return [
    {
      ...of('V01', 'failed', accepted),
      failure: { code: 'check_broken', message: accepted, expected: 'a 4xx', actual: 200 },
    },
    {
      ...createCheckResult({
        verdict: 'warned',
        name: 'V02-made-up',
        check: { id: 'V02', reason: slow, level: 'practice', rules: [], expectation: 'advice' },
      }),
      failure: { code: 'check_broken', message: slow },
    },
    of('V03', 'inconclusive', 'The target has no clock: add the verb set-clock'),
    of('V04', 'passed', 'The presentation was refused: HTTP 400'),
    of('V05', 'not-run', 'It has not run.'),
  ]
}

/** Creates a scenario that does nothing by default; it runs only with ES256K. */
export function createScenario(overrides: Partial<Scenario> = {}): Scenario {
  return defineScenario({
    id: 'suite/scenario',
    title: 'A scenario',
    category: 'Tests',
    description: 'What happens.',
    references: [{ document: 'Profile', section: '1.endpoints' }],
    algorithms: ['ES256K'],
    run: async () => {},
    ...overrides,
  })
}
