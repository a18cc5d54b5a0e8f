import { describe, expect, it } from 'vitest'
import {
  broken,
  type Check,
  type CheckBase,
  defineCheck,
  endCheck,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '#conformance/kit/check.ts'
import { asPremise } from '#conformance/kit/classify-answer.ts'
import { clauseText, describeReach } from '#conformance/kit/describe-check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import type { OpenPlan } from '#conformance/kit/plan.ts'
import { createPlanResults, summarizeDialect } from '#conformance/kit/plan-results.ts'
import { type CheckRun, type RunPlanOptions, runPlan } from '#conformance/kit/run-plan.ts'
import { createHolder } from '#conformance/world/create-trust-world.ts'
import { signJws } from '#core/crypto/jws.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import { isBlocked, zResults } from '#scenarios/harness/z-results.ts'

const row = '1.limits.1'

function createCheck(run: Check['run'], change: Partial<Check> = {}) {
  const check = defineCheck({
    id: 'V01',
    title: 'It holds',
    level: 'spec',
    expectation: 'accept',
    rows: [row],
    description: 'It matters.',
    sends: 'Nothing.',
    decides: 'By itself.',
    fix: 'Change it.',
    run,
    ...change,
  })
  return { ...check, name: `${check.id}-it-holds`, file: 'x.ts' }
}

const createResults = (runs: readonly CheckRun[]) =>
  createPlanResults(plan, {
    runs,
    startedAt: new Date(),
    durationMilliseconds: 1,
    interrupted: false,
    strict: false,
    kitVersion: '0.1.0',
  })

/** The results of a run of these checks. */
async function createResultsOf(checks: RunPlanOptions<CheckBase>['checks']) {
  const { signal } = new AbortController()
  return createResults(await runPlan(plan, { checks, exchanges: createExchangeLog(), signal }))
}

const plan: OpenPlan = {
  plan: 'verifier',
  target: { name: 'a verifier', addresses: {} },
  algorithm: 'ES256K',
  missing: (need) => (need === 'clock' ? 'Add a clock.' : undefined),
  createContext: (base) => base,
  close: async () => {},
}

async function run(
  check: ReturnType<typeof createCheck>,
  options: Partial<RunPlanOptions<never>> = {},
  change: Partial<OpenPlan> = {},
) {
  const exchanges = createExchangeLog()
  const { signal } = new AbortController()
  const [outcome] = await runPlan(
    { ...plan, ...change },
    { checks: [check], exchanges, signal, ...options },
  )
  if (outcome === undefined) throw new Error('nothing ran')
  return outcome
}

const stopped = (code: string, extra: Record<string, unknown> = {}) =>
  createCheck(async () => {
    throw new TestbedError({ code, status: 400, message: 'The wallet stopped.', extra })
  })

describe('a control', () => {
  const declare = (expectation: Check['expectation'], finding: Finding) =>
    createCheck(async () => finding, { expectation, control: 'good' })
  const saying = (finding: Finding) => ({ controls: { good: { run: async () => finding } } })
  const failing = saying(broken('Good ones are refused too.', { verdictSource: 'the control' }))

  it.each([
    ['a refusal', 'refuse', held('refused')],
    ['a rejection in an unexpected form', 'refuse', broken('refused with 500')],
    ['a rejection of a valid message', 'accept', broken('refused')],
    ['a recommendation', 'advice', held('yes')],
  ] as const)(
    'that fails makes the check inconclusive after %s',
    async (_what, expectation, finding) => {
      const check = declare(expectation, finding)
      expect((await run(check, {}, saying(held('yes')))).finding).toEqual(finding)
      expect((await run(check, {}, failing)).finding).toEqual(
        inconclusive('Good ones are refused too.', {
          isBlocked: true,
          verdictSource: 'the control',
        }),
      )
    },
  )

  it.each([
    ['an acceptance', 'refuse', wronglyAccepted('accepted')],
    ['a required acceptance', 'accept', held('accepted')],
    ['an inconclusive finding', 'refuse', inconclusive('who knows')],
  ] as const)('does not matter to %s', async (_what, expectation, finding) => {
    expect((await run(declare(expectation, finding), {}, failing)).finding).toEqual(finding)
  })

  it('does not matter to an acceptance among the other cases', async () => {
    const accepted = wronglyAccepted('accepted', { level: 'practice' })
    const finding = broken('refused with 500', { also: [broken('404'), accepted] })
    expect((await run(declare('refuse', finding), {}, failing)).finding).toEqual(accepted)
  })

  it('is evaluated until it passes, and then not again', async () => {
    const findings = [inconclusive('no answer'), held('accepted')]
    const left = [...findings]
    const controls = { good: { run: async () => left.shift() ?? broken('once too often') } }
    const check = declare('refuse', held('refused'))
    const checks = ['V01', 'V02', 'V03'].map((id) => ({ ...check, id }))
    const exchanges = createExchangeLog()
    const { signal } = new AbortController()
    const runs = await runPlan({ ...plan, controls }, { checks, exchanges, signal })
    expect(runs.map(({ finding }) => finding?.kind)).toEqual(['inconclusive', 'held', 'held'])
  })

  it('that throws makes the check inconclusive, and a missing one is an internal error of the kit', async () => {
    const check = declare('refuse', held('refused'))
    const controls = { good: { run: async () => endCheck(broken('No login begins.')) } }
    const { finding } = await run(check, {}, { controls })
    expect(finding).toEqual(inconclusive('No login begins.', { isBlocked: true }))
    expect((await run(check)).result.failure?.code).toBe('kit_error')
  })
})

describe('a verdict', () => {
  it.each([
    ['held', held('yes'), 'spec', false, 'passed'],
    ['broken, of the profile', broken('no'), 'spec', false, 'failed'],
    ['broken, of the final standard', broken('no'), 'final', false, 'warned'],
    ['broken, of practice', broken('no'), 'practice', false, 'warned'],
    ['broken, of practice, in a strict run', broken('no'), 'practice', true, 'failed'],
    [
      'broken, less severe than its check',
      broken('no', { level: 'final' }),
      'spec',
      false,
      'warned',
    ],
    [
      'broken, claiming more than its check',
      broken('no', { level: 'spec' }),
      'practice',
      false,
      'warned',
    ],
    ['undecided', inconclusive('who knows'), 'spec', false, 'inconclusive'],
    ['undecided in a strict run', inconclusive('who knows'), 'spec', true, 'inconclusive'],
  ] as const)('of a finding that is %s', async (_what, finding, level, strict, verdict) => {
    const clauses = level === 'final' ? ['OpenID4VP 1.0, 8.2'] : []
    const { result } = await run(
      createCheck(async () => finding, { level, clauses }),
      { strict },
    )
    expect(result.verdict).toBe(verdict)
    expect(result.check?.reason).toBe(finding.reason)
    expect(result.check?.level).toBe(finding.level ?? level)
    expect(result.failure !== undefined).toBe(verdict === 'failed' || verdict === 'warned')
  })

  it('comes with the other cases that failed: what was found, and the fix of each', async () => {
    const also = [
      broken('A code without an end was accepted', { expected: 400, actual: 200 }),
      broken('It is in the query', { level: 'practice', fix: 'Remove it.' }),
    ]
    const { result } = await run(createCheck(async () => broken('An old code works', { also })))
    expect(result.verdict).toBe('failed')
    expect(result.check?.also).toEqual([
      { reason: 'A code without an end was accepted', expected: 400, actual: 200 },
      { reason: 'It is in the query', level: 'practice', fix: 'Remove it.' },
    ])
  })

  it('has the fix of the check for another case if the worst one has a different fix', async () => {
    const also = [broken('Second', { fix: 'Change this.' }), broken('Third')]
    const worst = broken('First', { fix: 'Change this.', also })
    const { result } = await run(createCheck(async () => worst))
    expect(result.check?.also?.map(({ fix }) => fix)).toEqual([undefined, 'Change it.'])
  })

  it('of a repeated server error comes without doubt, in its other cases too', async () => {
    const failed = (what: string) =>
      inconclusive(`${what} failed, which is not a verdict: HTTP 500`, { isOutage: true })
    const finding = { ...failed('null'), also: [failed('A list')] }
    const check = createCheck(async () => finding, { control: 'good', expectation: 'refuse' })
    const controls = { good: { run: async () => held('accepted') } }
    const { result } = await run(check, {}, { controls })
    expect(result.check?.reason).toMatch(/^null failed: HTTP 500\. It failed twice/)
    expect(result.check?.also).toEqual([{ reason: 'A list failed: HTTP 500' }])
  })

  it('is kept if the clean-up of its check fails, which it reports', async () => {
    const exchanges = createExchangeLog()
    const { signal } = new AbortController()
    const settle = async () => {
      throw new Error('The chain stays held.')
    }
    const checks = [createCheck(async () => held('yes')), createCheck(async () => held('yes'))]
    const runs = await runPlan({ ...plan, settle }, { checks, exchanges, signal })
    expect(runs.map(({ result }) => [result.verdict, result.check?.reason])).toEqual([
      ['passed', expect.stringContaining('The chain stays held.')],
      ['passed', expect.stringContaining('The chain stays held.')],
    ])
  })

  it('says how many exchanges its report lacks', async () => {
    const exchange = { from: 'kit', to: 'verifier', method: 'GET', url: '/', status: 200 }
    const check = createCheck(async ({ exchanges }) => {
      for (let left = 5_002; left > 0; left--)
        exchanges.add({ ...exchange, durationMilliseconds: 1 })
      return held('yes')
    })
    const { result } = await run(check)
    expect(result.check?.reason).toBe('yes 2 exchanges are not in the report.')
    expect(result.hops).toHaveLength(5_000)
  })

  it('is the same for every way in which a check ends', async () => {
    const { result } = await run(createCheck(async () => endCheck(broken('half way'))))
    expect(result).toMatchObject({ verdict: 'failed', failure: { code: 'check_broken' } })
  })

  it.each([
    ['a failed expectation', createCheck(async () => expectEqual('x', 1, 2) as never), 'failed'],
    ['no answer', stopped('no_answer'), 'inconclusive'],
    ['a wallet that reached no server', stopped('unreachable'), 'inconclusive'],
    ['a wallet that was sent elsewhere', stopped('redirect_refused'), 'inconclusive'],
    [
      'a refusal of the other side',
      stopped('token_refused', { answer: { status: 400 } }),
      'failed',
    ],
    [
      'an overloaded other side',
      stopped('token_refused', { answer: { status: 429 } }),
      'inconclusive',
    ],
    [
      'a fault of the other side, twice',
      stopped('token_refused', { answer: { status: 500 } }),
      'failed',
    ],
    ['a fault of a proxy', stopped('token_refused', { answer: { status: 502 } }), 'inconclusive'],
    ['a timeout on its way', stopped('token_refused', { answer: { status: 504 } }), 'inconclusive'],
  ])('for %s', async (_what, check, verdict) => {
    expect((await run(check)).result.verdict).toBe(verdict)
  })

  it('reports an internal error as an error of the kit, not of the target', async () => {
    const check = createCheck(async () => {
      throw new TypeError('x is not a function')
    })
    const outcome = await run(check)
    expect(outcome.finding).toBeUndefined()
    expect(outcome.result).toMatchObject({
      verdict: 'inconclusive',
      failure: { code: 'kit_error', message: 'x is not a function' },
    })
    const results = createResults([outcome])
    expect(results.warnings).toHaveLength(1)
    expect(zResults.parse(results)).toMatchObject({ conformance: { plan: 'verifier' } })
  })
})

describe('a second request', () => {
  const refused = held('It was rejected.')
  const accepted = wronglyAccepted('It was accepted.')
  const answering = (expectation: Check['expectation'], findings: readonly Finding[]) => {
    const left = [...findings]
    let asked = 0
    const check = createCheck(
      async () => {
        asked += 1
        return left.shift() ?? broken('asked once too often')
      },
      { expectation },
    )
    return { check, asked: () => asked }
  }

  it.each<[string, Check['expectation'], readonly Finding[], string, boolean]>([
    ['confirms a rejection', 'refuse', [refused, refused], 'passed', false],
    ['confirms a failure', 'refuse', [accepted, accepted], 'failed', false],
    ['reveals a rejection by chance', 'refuse', [refused, accepted], 'failed', true],
    ['does not excuse an acceptance', 'refuse', [accepted, refused], 'failed', true],
    ['does not excuse a failure', 'accept', [broken('It was rejected.'), refused], 'failed', true],
    [
      'without a result proves nothing',
      'refuse',
      [refused, inconclusive('?')],
      'inconclusive',
      false,
    ],
    [
      'without a result changes no failure',
      'refuse',
      [accepted, inconclusive('?')],
      'failed',
      false,
    ],
    ['is not sent after an acceptance', 'accept', [held('It was accepted.')], 'passed', false],
    ['is not sent after no result', 'refuse', [inconclusive('?')], 'inconclusive', false],
  ])('%s', async (_what, expectation, findings, verdict, isUnstable) => {
    const { check, asked } = answering(expectation, findings)
    const { result } = await run(check)
    expect(asked()).toBe(findings.length)
    expect(result.verdict).toBe(verdict)
    expect(result.check?.unstable ?? false).toBe(isUnstable)
    expect(result.check?.reason.includes('The target is unstable.')).toBe(isUnstable)
  })

  it('has its own step with its exchanges', async () => {
    const exchanges = createExchangeLog()
    const { signal } = new AbortController()
    const exchangesOf = async (findings: readonly Finding[]) => {
      const { check, asked } = answering('refuse', findings)
      const sending = async (context: CheckBase) => {
        const url = `http://verifier.example/${asked() + 1}`
        exchanges.add({
          from: 'kit',
          to: 'verifier',
          method: 'GET',
          url,
          status: 200,
          durationMilliseconds: 0,
        })
        return check.run(context)
      }
      const [outcome] = await runPlan(plan, {
        checks: [{ ...check, run: sending }],
        exchanges,
        signal,
      })
      const { steps = [], hops = [] } = outcome?.result ?? {}
      return {
        steps: steps.map(({ title, verdict }) => [title, verdict]),
        hops: hops.map(({ url, step }) => [url, step]),
      }
    }
    expect(await exchangesOf([refused, accepted])).toEqual({
      steps: [
        ['First attempt', 'passed'],
        ['Second attempt, with other values', 'failed'],
      ],
      hops: [
        ['http://verifier.example/1', 1],
        ['http://verifier.example/2', 2],
      ],
    })
    expect(await exchangesOf([inconclusive('?')])).toEqual({
      steps: [],
      hops: [['http://verifier.example/1', 0]],
    })
  })

  it('may send fewer messages after a rejection, but not after a failure', async () => {
    for (const [finding, expected] of [
      [refused, [false, true]],
      [accepted, [false, false]],
    ] as const) {
      const repetitions: unknown[] = []
      const check = createCheck(
        async ({ isRepetition }) => {
          repetitions.push(isRepetition)
          return finding
        },
        { expectation: 'refuse' },
      )
      await run(check)
      expect(repetitions).toEqual(expected)
    }
  })

  it('is not asked of a person, nor of a mutant', async () => {
    const cases: [Partial<RunPlanOptions<never>>, Partial<OpenPlan>][] = [
      [{}, { isPerson: true }],
      [{ once: true }, {}],
    ]
    for (const [options, change] of cases) {
      const { check, asked } = answering('refuse', [refused])
      expect((await run(check, options, change)).result.verdict).toBe('passed')
      expect(asked()).toBe(1)
    }
  })

  const outage = inconclusive('It answered 500.', { isOutage: true })
  it.each<[string, Check['expectation'], readonly Finding[], string]>([
    ['fails at each valid message', 'accept', [outage, outage], 'failed'],
    ['fails at one valid message', 'accept', [outage, held('accepted')], 'passed'],
    ['fails at an invalid message', 'refuse', [outage], 'inconclusive'],
  ])('shows whether a system %s', async (_what, expectation, findings, verdict) => {
    const { check, asked } = answering(expectation, findings)
    expect((await run(check, { once: true })).result.verdict).toBe(verdict)
    expect(asked()).toBe(findings.length)
  })

  it.each(['is not a verdict', 'does not count as a rejection'])(
    'names the log of a system that fails at each valid message, which %s',
    async (meaning) => {
      const undecided = inconclusive(`Failed, which ${meaning}: HTTP 500`, { isOutage: true })
      const { check } = answering('accept', [undecided, undecided])
      const { result } = await run(check, { once: true })
      expect(result.check).toMatchObject({
        reason: 'Failed: HTTP 500. It failed twice for a valid message.',
        fix: expect.stringContaining('log of the system'),
      })
    },
  )

  it.each([
    ['a WARN if valid messages are served afterwards', [held('Served.')], 'warned'],
    ['no finding if valid messages fail as well', [inconclusive('Not served.')], 'inconclusive'],
    ['no finding if it is not repeated', [], 'passed'],
  ])('shows that a crash is %s', async (_what, controls, verdict) => {
    const again = verdict === 'passed' ? refused : outage
    const { check } = answering('refuse', [outage, again])
    const left = [...controls]
    const control = { name: 'valid', run: async () => left.shift() ?? held('Served.') }
    const { result } = await run(
      { ...check, control: 'valid' },
      { once: true },
      { controls: { valid: control } },
    )
    expect(result.verdict).toBe(verdict)
  })

  it('that fails before most checks fails the run, and the warning says why', async () => {
    const ordering = () =>
      Promise.reject(
        new TestbedError({ code: 'expectation_failed', message: 'HTTP 400', status: 500 }),
      )
    const blocked = {
      ...answering('accept', [accepted]).check,
      run: () => asPremise('an order', ordering()),
    }
    const checks = [answering('accept', [accepted]).check, blocked, blocked].map(
      (check, index) => ({
        ...check,
        id: `V0${index + 1}`,
      }),
    )
    const results = await createResultsOf(checks)
    expect(results.warnings).toEqual([
      '2 of 3 checks have no result because something that they depend on failed, so the run has failed. Fix that first: An order failed, and this check depends on it: HTTP 400',
    ])
    expect([results.conformance?.blocked, isBlocked(results)]).toEqual([2, true])
    const half = await createResultsOf(checks.slice(0, 2))
    expect([half.warnings, isBlocked(half)]).toEqual([[], false])
  })

  it.each([
    ['An order failed, and this check depends on it: HTTP 400', 'HTTP 400'],
    ['This check depends on something that failed: an order was rejected', 'an order was rejected'],
  ])('that fails before a check is named once: %s', async (reason, message) => {
    const ordering = () =>
      Promise.reject(new TestbedError({ code: 'expectation_failed', message, status: 500 }))
    const depending = () => asPremise('a delivery', asPremise('an order', ordering()))
    const { result } = await run({ ...answering('accept', [accepted]).check, run: depending })
    expect(result.check?.reason).toBe(reason)
  })

  it('that is answered differently in two checks makes all passes inconclusive', async () => {
    const checks = [
      answering('refuse', [refused, refused]),
      answering('refuse', [refused, accepted]),
      answering('accept', [refused]),
      answering('refuse', [accepted, refused]),
    ].map(({ check }, index) => ({ ...check, id: `V0${index + 1}` }))
    const verdictsOf = async (some: typeof checks) => {
      const { scenarios, warnings } = await createResultsOf(some)
      return { verdicts: scenarios.map(({ verdict }) => verdict), warnings }
    }
    expect(await verdictsOf(checks)).toEqual({
      verdicts: ['inconclusive', 'failed', 'inconclusive', 'failed'],
      warnings: [
        'The target is unstable: it responded differently to the same request in V02, V04. Its passes prove nothing and count as inconclusive.',
      ],
    })
    const fresh = [
      { ...answering('refuse', [refused, refused]).check, id: 'V01' },
      { ...answering('refuse', [refused, accepted]).check, id: 'V02' },
    ]
    expect(await verdictsOf(fresh)).toEqual({
      verdicts: ['passed', 'failed'],
      warnings: ['The target is unstable: it responded differently to the same request in V02.'],
    })
  })
})

describe('a check', () => {
  it('does not run if the target lacks a requirement, and says what to add', async () => {
    let ran = false
    const check = createCheck(
      async () => {
        ran = true
        return held('yes')
      },
      { needs: ['clock'] },
    )
    const { result } = await run(check)
    expect(result).toMatchObject({ verdict: 'inconclusive', check: { reason: 'Add a clock.' } })
    expect(ran).toBe(false)
  })

  it('is counted before the run, with what to add to the target file', () => {
    const reasons: Readonly<Record<string, string>> = { clock: 'Add a clock.', page: 'Add a page.' }
    const missing = (need: string) => reasons[need]
    const needs = [[], ['clock'], ['page'], ['pin', 'page'], ['pin']]
    const checks = needs.map((names, index) => ({ id: `V0${index}`, needs: names }))
    expect(describeReach({ missing }, checks)?.split('\n')).toEqual([
      'With this target file, the kit can decide 2 of 5 checks.',
      '  2 checks  Add a page.',
      '  1 check   Add a clock.',
    ])
    expect(describeReach({ missing: () => undefined }, checks)).toBeUndefined()
  })

  it('is inconclusive after its time limit', async () => {
    const check = createCheck(() => new Promise(() => {}), { timeLimitMilliseconds: 20 })
    expect((await run(check)).result.verdict).toBe('inconclusive')
  })

  it('is aborted by an interrupt, and no further check starts', async () => {
    const interrupt = new AbortController()
    const first = createCheck(async () => {
      interrupt.abort()
      return new Promise<never>(() => {})
    })
    const outcomes = await runPlan(plan, {
      checks: [first, createCheck(async () => held('yes'))],
      exchanges: createExchangeLog(),
      signal: interrupt.signal,
    })
    expect(outcomes.map(({ result }) => result.verdict)).toEqual(['interrupted', 'not-run'])
  })

  it('is not started if the target does not answer, which is reported once', async () => {
    const exchanges = createExchangeLog()
    const { signal } = new AbortController()
    let tried = 0
    const check = createCheck(async () => {
      tried += 1
      const url = 'http://verifier.example'
      const to = 'system under test'
      exchanges.add({ from: 'wallet', to, method: 'GET', url, status: 0, durationMilliseconds: 1 })
      return inconclusive(`GET ${url} did not answer.`)
    })
    const checks = Array.from({ length: 9 }, () => check)
    const shown: string[] = []
    const onResult = ({ verdict }: { verdict: string }) => shown.push(verdict)
    const describeProgram = async () => 'The start command has ended'
    const runs = await runPlan(
      { ...plan, describeProgram },
      { checks, exchanges, signal, onResult },
    )
    expect(tried).toBe(3)
    expect(shown).toEqual(Array.from({ length: 3 }, () => 'inconclusive'))
    expect(runs.map(({ result }) => result.verdict)).toEqual(checks.map(() => 'inconclusive'))
    expect(runs.at(-1)?.result.check?.reason).toContain('http://verifier.example did not answer')
    expect(runs.map(({ result }) => result.failure?.code).slice(2, 4)).toEqual([
      undefined,
      'target_silent',
    ])
    const results = createResults(runs)
    expect(results.warnings).toEqual([
      expect.stringMatching(/GET http:\/\/verifier.example.* The start command has ended\. \w/),
    ])
    expect(zResults.parse(results).scenarios).toHaveLength(9)
  })

  it('keeps its exchanges and the text of the rule', async () => {
    const exchanges = createExchangeLog()
    const add = (url: string) =>
      exchanges.add({
        from: 'a',
        to: 'b',
        method: 'GET',
        url,
        status: 200,
        durationMilliseconds: 1,
      })
    add('http://before')
    const check = createCheck(async () => {
      add('http://during')
      return held('yes')
    })
    const { result } = await run(check, {
      exchanges,
      repeatOptions: ['--target', 'my verifier.yaml'],
    })
    expect(result.hops.map(({ url }) => url)).toEqual(['http://during'])
    expect(result.check?.rules).toEqual([
      {
        id: row,
        text: expect.stringContaining('QR_EXPIRATION_TIME'),
        paragraph: 'docs/profile/issuer.md#1.limits.1',
      },
    ])
    expect(result.repeat).toBe(
      "bin/testbed conformance verifier '^V01$' --target 'my verifier.yaml'",
    )
  })
})

describe('the fix of a check', () => {
  it.each([
    ['broken', broken('accepted')],
    ['held', held('refused')],
  ])('is in the result of a check that is %s', async (_kind, finding) => {
    const fix = 'Verify the signature with the key of kid.'
    const { result } = await run(createCheck(async () => finding, { fix }))
    expect(result.check?.fix).toBe(fix)
  })
})

describe('defineCheck', () => {
  const run = async () => held('yes')
  it.each([
    ['an invalid id', { id: 'x1' }],
    ['an empty text', { sends: ' ' }],
    ['an empty fix', { fix: '' }],
    ['a fix of more than 280 characters', { fix: 'x'.repeat(281) }],
    ['a rule of the profile without its row', { rows: [] }],
    ['a rule of the final standard without its clause', { level: 'final' as const }],
  ])('rejects %s', (_what, change) => {
    expect(() => createCheck(run, change)).toThrow(TypeError)
  })
})

const exchange = (parts: Partial<Hop>): Hop => ({
  id: 1,
  at: 0,
  durationMilliseconds: 1,
  from: 'kit',
  to: 'kit',
  kind: 'http',
  method: 'POST',
  url: 'https://counterpart.example/',
  status: 200,
  ...parts,
})
const summary = (sender: string, ...exchanges: Partial<Hop>[]) =>
  summarizeDialect(exchanges.map(exchange), sender).map(({ kind, messages, members }) => ({
    kind,
    messages,
    paths: members.map(({ path }) => path),
    departures: members.flatMap(({ path, documents }) => (documents === undefined ? [] : [path])),
  }))

describe('the dialect of a wallet', () => {
  const wallet = 'wallet under test'
  const proof = { proof_type: 'jwt', jwt: 'e30.e30.e30' }

  it('is reported once for each kind of message that it sent, with the documented form of each deviation', () => {
    const documented = { format: 'jwt_vc_json', types: ['VerifiableCredential'], proof }
    const final = { credential_configuration_id: 'x', proofs: { jwt: [proof.jwt] } }
    expect(
      summary(
        wallet,
        { from: wallet, requestBody: documented },
        { from: wallet, requestBody: documented },
        { from: wallet, requestBody: final },
        { from: wallet, requestBody: { vp_token: { query: ['e30.e30.e30'] } } },
      ),
    ).toEqual([
      {
        kind: 'credential-request',
        messages: 3,
        paths: ['format', 'types', 'proof', 'credential_configuration_id', 'proofs'],
        departures: ['credential_configuration_id', 'proofs'],
      },
      { kind: 'presentation-response', messages: 1, paths: ['vp_token'], departures: ['vp_token'] },
    ])
  })

  it('does not include messages that the kit sent', () => {
    const offer = { credential_issuer: 'https://issuer.example', credentials: ['x'] }
    const link = `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`
    expect(summary(wallet, { to: wallet, requestBody: { link } })).toEqual([])
    expect(summary(wallet, { from: wallet, responseBody: offer })).toEqual([])
  })
})

describe('the dialect of an issuer', () => {
  const issuer = 'issuer under test'
  const offer = { credential_issuer: 'https://issuer.example', credential_configuration_ids: ['x'] }

  it('is found in links, at addresses and in answers, and not in rejections', () => {
    const link = `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`
    const request = { format: 'jwt_vc_json', proof: { proof_type: 'jwt', jwt: 'e30.e30.e30' } }
    const found = summary(
      issuer,
      { to: issuer, responseBody: { offer_uri: link } },
      { to: issuer, responseBody: offer },
      { to: issuer, requestBody: request, responseBody: { credentials: [{ credential: 'x' }] } },
      { to: issuer, requestBody: request, status: 400, responseBody: { error: 'invalid_proof' } },
    )
    expect(found.map(({ kind, messages }) => [kind, messages])).toEqual([
      ['credential-offer', 2],
      ['credential-response', 1],
    ])
    expect(found[0]?.departures).toEqual(['credential_configuration_ids'])
  })
})

describe('the dialect of a relying party', () => {
  const relyingParty = 'relying-party under test'

  it('is not reported: its token requests are the same in every revision', () => {
    const requestBody = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'y' }
    expect(summary(relyingParty, { from: relyingParty, requestBody })).toEqual([])
  })
})

describe('the dialect of a verifier', () => {
  const verifier = 'verifier under test'

  it('is found in signed requests', () => {
    const { privateKey } = createHolder()
    const payload = { response_type: 'vp_token', presentation_definition: { id: 'x' } }
    const jwt = signJws({ header: { alg: 'ES256K' }, payload, privateKey })
    expect(summary(verifier, { to: verifier, responseBody: jwt })).toMatchObject([
      { kind: 'authorization-request', messages: 1, departures: ['presentation_definition'] },
    ])
    expect(summary(verifier, { to: verifier, responseBody: 'e30.e30.x' })).toEqual([])
  })
})

describe('clauseText', () => {
  it.each([
    ['OpenID4VCI 1.0, 8.3.1.2', 'OpenID4VCI 1.0, 8.3.1.2 Credential Request Errors'],
    ['EIP-155, Specification', 'EIP-155, Specification'],
    ['RFC 1, 2', 'RFC 1, 2'],
  ])('reports %s as %s', (clause, text) => {
    expect(clauseText(clause)).toBe(text)
  })
})
