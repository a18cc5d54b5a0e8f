import { describe, expect, it } from 'vitest'
import { browserMissing } from '#scenarios/errors.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import type { Scenario, ScenarioContext } from '#scenarios/harness/define-scenario.ts'
import { expectStatus } from '#scenarios/harness/expectations.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { createSeededNames } from '#scenarios/harness/run-scenario.ts'
import { type RunScenariosOptions, runScenarios } from '#scenarios/harness/run-scenarios.ts'
import { selectScenarios } from '#scenarios/harness/select-scenarios.ts'
import { takeTurns } from '#scenarios/harness/waiting.ts'
import { mergeResults, zResults } from '#scenarios/harness/z-results.ts'
import { createResults, createScenario, createScenarioResult } from '#test/support/results.ts'
import { startSmallTestbed } from '#test/support/small-testbed.ts'
import { expectReadSince } from '#test/support/timing.ts'

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
  it('reports steps, times and hops of a scenario that passed, each hop at its step', async () => {
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

  it('reports where and why a scenario failed, and how to repeat it', async () => {
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

  it('reports what an operator can do about a failure', async () => {
    const scenario = createScenario({
      async run() {
        throw browserMissing('linux', 'riscv64')
      },
    })
    const { results } = await run([scenario])
    expect(results.scenarios[0]?.failure?.message).toContain('PUPPETEER_EXECUTABLE_PATH')
  })

  it('stops a scenario that exceeds its time limit', async () => {
    const scenario = createScenario({
      // Enough to reach the step on a busy machine.
      timeLimitMilliseconds: 2000,
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

  it('stops a scenario that ignores the signal', async () => {
    const scenario = createScenario({ timeLimitMilliseconds: 20, run: () => new Promise(() => {}) })
    const { results } = await run([scenario])
    expect(results.scenarios[0]?.failure?.code).toBe('time_limit')
  })

  it('returns the results so far when it is interrupted', async () => {
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

  it('starts no more scenarios after the first failure if configured', async () => {
    const fails = () => Promise.reject(new Error('no'))
    const scenarios = ['a', 'b', 'c'].map((name) =>
      createScenario({ id: `suite/${name}`, ...(name === 'b' ? { run: fails } : {}) }),
    )
    const { verdicts } = await run(scenarios, { bail: true, parallelism: 1 })
    expect(verdicts).toEqual(['passed', 'failed', 'not-run'])
  })

  it('runs the configured number of scenarios in parallel, and exclusive ones alone at the end', async () => {
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

  it('runs the others after a first one that has a head start', async () => {
    const order: string[] = []
    const scenarios = ['a', 'b', 'c'].map((name) =>
      createScenario({
        id: `suite/${name}`,
        async run({ httpAs, environment }) {
          order.push(`${name} begins`)
          await httpAs('portal').request(`${environment.issuerBaseUrl}/status/200`)
          order.push(`${name} ends`)
        },
      }),
    )
    await run(scenarios, { parallelism: 2, hasHeadStart: true })
    expect(order.slice(0, 4)).toEqual(['a begins', 'a ends', 'b begins', 'c begins'])
  })

  it('fails a scenario that moves the clock without declaring it', async () => {
    const moves = createScenario({ run: ({ control }) => control.advanceClock(1).then(() => {}) })
    const { results } = await run([moves])
    expect(results.scenarios[0]?.failure?.message).toContain("needs: ['clock']")
  })

  it('resets the clock after a scenario that moved it, even if it failed', async () => {
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
    expectReadSince(times[1] ?? 0, began)
    expect(controlCalls).toContain('DELETE /clock')
  })

  it('reports that hops cannot be read', async () => {
    const { testbed } = await startSmallTestbed()
    const control = { ...testbed.control, token: 'wrong' }
    const { results } = await run([createScenario()], { testbed: { ...testbed, control } })
    expect(results.scenarios[0]).toMatchObject({
      verdict: 'failed',
      failure: { code: 'control_refused' },
    })
    expect(results.warnings).toHaveLength(1)
  })

  it('creates the same names and keys from the same seed, regardless of parallel scenarios', async () => {
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

  it('removes the faults that an exclusive scenario left behind', async () => {
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

  it('names the faults that were on before a scenario failed', async () => {
    const { testbed } = await startSmallTestbed()
    const { url, token } = testbed.control
    const headers = { authorization: `Bearer ${token}` }
    await fetch(`${url}/pre/faults/tir-down`, { method: 'PUT', headers })
    const warnings = async (options: Partial<Scenario>) =>
      (await run([createScenario(options)], { testbed })).results.warnings
    const fails = () => Promise.reject(new Error('no answer'))
    expect(await warnings({ run: fails })).toEqual([expect.stringContaining('tir-down')])
    expect(await warnings({})).toEqual([])
  })

  describe('a testbed with other clients', () => {
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

    it('is restored if a scenario left its chain ahead of the clock', async () => {
      const { controlCalls, results } = await run([
        moves(({ httpAs, environment }) =>
          httpAs('portal').request(`${environment.issuerBaseUrl}/status/201`, { method: 'POST' }),
        ),
      ])
      expect(restores(controlCalls)).toBe(1)
      expect(controlCalls.at(-1)).toBe('GET /clock')
      expect(results.warnings).toEqual([])
    })

    it('is not restored if another client used it meanwhile, and the run reports that', async () => {
      const began = realSeconds()
      const { controlCalls, results } = await run([
        moves(({ environment }) => post(environment.issuerBaseUrl)),
      ])
      expect(restores(controlCalls)).toBe(0)
      const [, ahead] = /chain is (\d+) s ahead/.exec(results.warnings.join()) ?? []
      expect(Number(ahead)).toBeLessThanOrEqual(600)
      expect(Number(ahead)).toBeGreaterThanOrEqual(599 - (realSeconds() - began))
    })

    it('is not restored if another client sent a transaction directly to the chain', async () => {
      const json = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x00'] }
      const body = JSON.stringify(json)
      const { controlCalls } = await run([
        moves(({ environment }) => fetch(environment.chain.rpcUrl, { method: 'POST', body })),
      ])
      expect(restores(controlCalls)).toBe(0)
    })

    it('yields results even if it is no longer available', async () => {
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

    it('is restored if other clients only read, or used it before', async () => {
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

  it("restores the state of a separate testbed after each exclusive scenario's turn", async () => {
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

  it('does not start a browser for a scenario that does not declare it', async () => {
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

  it('attaches the pages of the browser only to a scenario that failed', async () => {
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

function take(seed: string, runId: string) {
  const { uniqueName, nextWalletSeed, nextBytes } = createSeededNames(seed, runId)
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  return [
    uniqueName,
    nextWalletSeed(),
    nextWalletSeed(),
    hex(nextBytes(31)),
    hex(nextBytes(31)),
    createUuidUrn({ seededBytes: nextBytes }),
    createUuidUrn({ seededBytes: nextBytes }),
  ]
}

describe('values that a scenario derives from the seed', () => {
  it('are the same each time, and different for each call, seed and scenario', () => {
    const one = take('monday', 'login/pkce/EdDSA')
    expect(take('monday', 'login/pkce/EdDSA')).toEqual(one)
    const others = [take('tuesday', 'login/pkce/EdDSA'), take('monday', 'login/pkce/ES256K')]
    expect(new Set([one, ...others].flat()).size).toBe(3 * one.length)
  })

  it('have the requested length', () => {
    const { nextBytes } = createSeededNames('monday', 'login/pkce/EdDSA')
    expect([1, 32, 100].map((length) => nextBytes(length).length)).toEqual([1, 32, 100])
  })

  it('include UUIDs of version 4 (RFC 9562)', () => {
    const { nextBytes: seededBytes } = createSeededNames('monday', 'login/pkce/EdDSA')
    const form = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (let count = 0; count < 50; count++) expect(createUuidUrn({ seededBytes })).toMatch(form)
  })
})

it('runs the work of one name in order, also after a failure', async () => {
  const finished: string[] = []
  const first = Promise.withResolvers<void>()
  const one = takeTurns('account', async () => {
    await first.promise
    finished.push('one')
    throw new Error('one failed')
  })
  const two = takeTurns('account', async () => finished.push('two'))
  const other = takeTurns('another account', async () => finished.push('other'))
  await other
  first.resolve()
  await expect(one).rejects.toThrow('one failed')
  expect(await two).toBe(3)
  expect(finished).toEqual(['other', 'one', 'two'])
})

const part = (ids: readonly string[], overrides = {}) => ({
  ...createResults({ scenarios: ids.map((id) => createScenarioResult({ id })) }),
  ...overrides,
})

describe('mergeResults', () => {
  it('contains all scenarios in the original order', () => {
    const merged = mergeResults([part(['b', 'c']), part(['a', 'd'])], ['a', 'b', 'c', 'd'])
    expect(merged.scenarios.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lasts from the first start to the last end', () => {
    const merged = mergeResults(
      [
        part([], { startedAt: '2026-11-21T10:00:02.000Z', durationMilliseconds: 5000 }),
        part([], { startedAt: '2026-11-21T10:00:01.000Z', durationMilliseconds: 1000 }),
      ],
      [],
    )
    expect(merged).toMatchObject({
      startedAt: '2026-11-21T10:00:01.000Z',
      durationMilliseconds: 6000,
    })
  })

  it('is interrupted if one part was, and contains each warning once', () => {
    const merged = mergeResults(
      [part([], { warnings: ['one'] }), part([], { interrupted: true, warnings: ['one', 'two'] })],
      [],
    )
    expect(merged).toMatchObject({ interrupted: true, warnings: ['one', 'two'] })
  })
})
