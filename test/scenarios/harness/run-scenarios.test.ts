import { describe, expect, it } from 'vitest'
import type { Scenario, ScenarioContext } from '#scenarios/harness/define-scenario.ts'
import { expectStatus } from '#scenarios/harness/expectations.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { type RunScenariosOptions, runScenarios } from '#scenarios/harness/run-scenarios.ts'
import { selectScenarios } from '#scenarios/harness/select-scenarios.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { createScenario } from '#test/support/results.ts'
import { startSmallTestbed } from '#test/support/small-testbed.ts'
import { expectToldSince, realSeconds } from '#test/support/timing.ts'

const noBrowser = async () => {
  throw new Error('no scenario here opens a page')
}

async function run(scenarios: readonly Scenario[], options: Partial<RunScenariosOptions> = {}) {
  const small = await startSmallTestbed()
  const results = await runScenarios({
    runs: selectScenarios(scenarios),
    testbed: small.testbed,
    launchBrowser: noBrowser,
    ...options,
  })
  return { ...small, results, verdicts: results.scenarios.map(({ verdict }) => verdict) }
}

describe('runScenarios', () => {
  it('tells steps, times and hops of a scenario that passed, each hop at its step', async () => {
    const scenario = createScenario({
      async run({ step, httpAs, environment }) {
        const http = httpAs('portal')
        await step('one', () => http.request(`${environment.issuerBaseUrl}/status/200`))
        await step('two', () => http.request(`${environment.issuerBaseUrl}/status/404`))
      },
    })
    const { results } = await run([scenario])
    expect(zResults.safeParse(results).error).toBeUndefined()
    const [result] = results.scenarios
    expect(result).toMatchObject({ id: 'suite/scenario/ES256K', verdict: 'passed' })
    expect(result?.steps.map(({ title }) => title)).toEqual(['one', 'two'])
    expect(result?.hops.map(({ from, url, step }) => [from, url, step])).toEqual([
      ['portal', '/status/200', 1],
      ['portal', '/status/404', 2],
    ])
    expect(results).toMatchObject({ interrupted: false, warnings: [] })
  })

  it('tells where and why a scenario failed, and how to repeat it', async () => {
    const scenario = createScenario({
      run: ({ step, httpAs, environment }) =>
        step('asks', async () => {
          const answer = await httpAs('portal').request(`${environment.issuerBaseUrl}/status/500`)
          expectStatus(answer, 200)
        }),
    })
    const { results } = await run([scenario], { seed: "it's" })
    expect(results.scenarios[0]).toMatchObject({
      verdict: 'failed',
      steps: [{ title: 'asks', verdict: 'failed' }],
      failure: { code: 'expectation_failed', step: 'asks', expected: 200, actual: 500 },
      repeat: "bin/testbed run '^suite/scenario/ES256K$' --seed 'it'\\''s'",
    })
  })

  it('cuts off a scenario that is past its time limit', async () => {
    const scenario = createScenario({
      timeLimitMilliseconds: 50,
      run: ({ step, httpAs, environment }) =>
        step('waits', async () => {
          await httpAs('portal').request(`${environment.issuerBaseUrl}/hang`)
        }),
    })
    const { results } = await run([scenario])
    expect(results.scenarios[0]).toMatchObject({
      verdict: 'failed',
      failure: { code: 'time_limit', step: 'waits' },
    })
  })

  it('cuts off one that listens to nothing', async () => {
    const scenario = createScenario({ timeLimitMilliseconds: 20, run: () => new Promise(() => {}) })
    const { results } = await run([scenario])
    expect(results.scenarios[0]?.failure?.code).toBe('time_limit')
  })

  it('gives the results of what ran when it is interrupted', async () => {
    const interrupt = new AbortController()
    const scenarios = [
      createScenario({ id: 'suite/a' }),
      createScenario({
        id: 'suite/b',
        run: ({ step }) =>
          step('is under way', () => {
            interrupt.abort()
            return new Promise<void>(() => {})
          }),
      }),
      createScenario({ id: 'suite/c' }),
    ]
    const options = { signal: interrupt.signal, parallelism: 1 }
    const { results, verdicts } = await run(scenarios, options)
    expect(verdicts).toEqual(['passed', 'interrupted', 'not-run'])
    expect(results.interrupted).toBe(true)
    expect(results.scenarios[1]?.failure).toMatchObject({
      code: 'interrupted',
      step: 'is under way',
    })
  })

  it('begins none after the first failure when asked to', async () => {
    const fails = () => Promise.reject(new Error('no'))
    const scenarios = ['a', 'b', 'c'].map((name) =>
      createScenario({ id: `suite/${name}`, ...(name === 'b' ? { run: fails } : {}) }),
    )
    const { verdicts } = await run(scenarios, { bail: true, parallelism: 1 })
    expect(verdicts).toEqual(['passed', 'failed', 'not-run'])
  })

  it('runs as many side by side as told, and exclusive ones alone after all others', async () => {
    let underWay = 0
    let most = 0
    const order: string[] = []
    const { promise: three, resolve: threeAreThere } = Promise.withResolvers<void>()
    const scenarios = ['x', 'a', 'b', 'c', 'y'].map((name) => {
      const exclusive = name === 'x' || name === 'y'
      return createScenario({
        id: `suite/${name}`,
        exclusive,
        async run() {
          underWay += 1
          most = Math.max(most, underWay)
          if (exclusive) expect(underWay).toBe(1)
          if (underWay === 3) threeAreThere()
          if (!exclusive) await three
          order.push(name)
          underWay -= 1
        },
      })
    })
    const { verdicts } = await run(scenarios, { parallelism: 3 })
    expect(verdicts).toEqual(Array(5).fill('passed'))
    expect(most).toBe(3)
    expect(order.slice(3)).toEqual(['x', 'y'])
  })

  it('fails a scenario that moves the clock without declaring it', async () => {
    const moves = createScenario({ run: ({ control }) => control.advanceClock(1).then(() => {}) })
    const { results } = await run([moves])
    expect(results.scenarios[0]?.failure?.message).toContain("needs: ['clock']")
  })

  it('puts the clock back after a scenario that moved it, also when that failed', async () => {
    const times: number[] = []
    const moves = createScenario({
      id: 'suite/a',
      exclusive: true,
      needs: ['clock'],
      async run({ control, now }) {
        const before = now()
        await control.advanceClock(600)
        times.push(now() - before)
        throw new Error('no')
      },
    })
    const after = createScenario({
      id: 'suite/b',
      exclusive: true,
      run: async ({ now }) => void times.push(now()),
    })
    const began = realSeconds()
    const { verdicts, controlCalls } = await run([moves, after])
    expect(verdicts).toEqual(['failed', 'passed'])
    expect(times[0]).toBeGreaterThanOrEqual(600)
    expectToldSince(times[1] ?? 0, began)
    expect(controlCalls).toContain('DELETE /clock')
  })

  it('says so when hops cannot be read', async () => {
    const { testbed } = await startSmallTestbed()
    const control = { ...testbed.control, token: 'wrong' }
    const { results } = await run([createScenario()], { testbed: { ...testbed, control } })
    expect(results.scenarios[0]).toMatchObject({
      verdict: 'failed',
      failure: { code: 'control_refused' },
    })
    expect(results.warnings).toHaveLength(1)
  })

  it('gives the same names and keys for the same seed, whatever runs beside', async () => {
    const namesOf = async (seed: string, ids: readonly string[]) => {
      const names: Record<string, string[]> = {}
      const scenarios = ids.map((id) =>
        createScenario({
          id,
          async run({ uniqueName, createWallet }) {
            names[id] = [uniqueName, createWallet().account.did, createWallet().account.did]
          },
        }),
      )
      const { results } = await run(scenarios, { seed })
      expect(results.seed).toBe(seed)
      return names
    }
    const both = await namesOf('one', ['suite/a', 'suite/b'])
    expect((await namesOf('one', ['suite/b']))['suite/b']).toEqual(both['suite/b'])
    const other = await namesOf('two', ['suite/b'])
    const all = [...Object.values(both), ...Object.values(other)].flat()
    expect(new Set(all).size).toBe(9)
  })

  it('mends after an exclusive scenario what that left broken', async () => {
    const { controlCalls } = await run([
      createScenario({
        exclusive: true,
        run: async ({ control }) => control.setFault('tir-down', true),
      }),
    ])
    expect(controlCalls).toEqual(
      expect.arrayContaining([
        'DELETE /pre/faults/tir-down',
        'PUT /pre/mining',
        'DELETE /pre/management-failure',
        'DELETE /clock',
      ]),
    )
    expect(controlCalls.filter((call) => call.includes('/restore'))).toEqual([])
  })

  describe('a testbed that others may use', () => {
    const moves = (during: (context: ScenarioContext) => Promise<unknown> = async () => {}) =>
      createScenario({
        exclusive: true,
        needs: ['clock'],
        async run(context) {
          await context.control.advanceClock(600)
          await during(context)
        },
      })
    const restores = (calls: readonly string[]) =>
      calls.filter((call) => call.endsWith('/restore')).length
    const post = (url: string) => fetch(`${url}/status/201`, { method: 'POST' })

    it('goes back where a scenario left its chain ahead of the clock', async () => {
      const { controlCalls, results } = await run([
        moves(({ httpAs, environment }) =>
          httpAs('portal').request(`${environment.issuerBaseUrl}/status/201`, { method: 'POST' }),
        ),
      ])
      expect(restores(controlCalls)).toBe(1)
      expect(controlCalls.at(-1)).toBe('GET /clock')
      expect(results.warnings).toEqual([])
    })

    it('stays where somebody else has used it meanwhile, and the run says so', async () => {
      const { controlCalls, results } = await run([
        moves(({ environment }) => post(environment.issuerBaseUrl)),
      ])
      expect(restores(controlCalls)).toBe(0)
      expect(results.warnings.join()).toMatch(/chain is (599|600) s ahead/)
    })

    it('stays where somebody sent the chain a transaction past all services', async () => {
      const json = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x00'] }
      const body = JSON.stringify(json)
      const { controlCalls } = await run([
        moves(({ environment }) => fetch(environment.chain.rpcUrl, { method: 'POST', body })),
      ])
      expect(restores(controlCalls)).toBe(0)
    })

    it('gives results all the same where it is gone', async () => {
      const small = await startSmallTestbed()
      const control = { ...small.testbed.control, url: 'http://127.0.0.1:9/control' }
      const results = await runScenarios({
        runs: selectScenarios([moves()]),
        testbed: { ...small.testbed, control },
        launchBrowser: noBrowser,
      })
      expect(results.scenarios.map(({ verdict }) => verdict)).toEqual(['failed'])
      expect(results.warnings.length).toBeGreaterThan(0)
    })

    it('goes back all the same where others have only read, or used it before', async () => {
      const small = await startSmallTestbed()
      await post(small.origin)
      await runScenarios({
        runs: selectScenarios([
          moves(({ environment }) => fetch(`${environment.issuerBaseUrl}/status/200`)),
        ]),
        testbed: small.testbed,
        launchBrowser: noBrowser,
      })
      expect(restores(small.controlCalls)).toBe(1)
    })
  })

  it("restores the state of a testbed of its own after each exclusive scenario's turn", async () => {
    const exclusive = ['a', 'b'].map((name) =>
      createScenario({ id: `suite/${name}`, exclusive: true }),
    )
    const { controlCalls, results } = await run(exclusive, { isOwnTestbed: true })
    expect(controlCalls.filter((call) => call.includes('/snapshots'))).toEqual([
      'POST /snapshots',
      'POST /snapshots/1/restore',
      'POST /snapshots/1/restore',
    ])
    expect(results.warnings).toEqual([])
  })

  it('starts no browser for a scenario that does not say that it uses one', async () => {
    const opens = { run: async ({ browser }: ScenarioContext) => void (await browser.open()) }
    let started = 0
    const launchBrowser = async () => {
      started += 1
      throw new Error('there is none')
    }
    const { results } = await run(
      [createScenario(opens), createScenario({ id: 'suite/told', usesBrowser: true, ...opens })],
      { launchBrowser },
    )
    expect(results.scenarios.map(({ failure }) => failure?.code)).toEqual(['TypeError', 'Error'])
    expect(started).toBe(1)
  })

  it('shows what the browser showed when a scenario failed, and only then', async () => {
    const executablePath = process.env.PUPPETEER_EXECUTABLE_PATH
    const opens = async ({ browser }: ScenarioContext) => {
      await browser.open()
    }
    const { results } = await run(
      [
        createScenario({
          id: 'suite/fails',
          usesBrowser: true,
          async run(context) {
            await opens(context)
            throw new Error('no')
          },
        }),
        createScenario({ id: 'suite/passes', usesBrowser: true, run: opens }),
      ],
      { launchBrowser: () => launchBrowser({ executablePath }) },
    )
    expect(results.scenarios.map(({ attachments }) => attachments.length)).toEqual([1, 0])
  })
})
