import { describe, expect, it } from 'vitest'
import { createHopCollector, harnessTag, orderHops, tagOf } from '#scenarios/harness/hops.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import { createScenarioHop } from '#test/support/results.ts'

const hop = (id: number, overrides: Partial<Hop>): Hop => {
  const { step: _, ...rest } = createScenarioHop({ id, ...overrides })
  return rest
}

const runId = 'suite/scenario/ES256K@0a1b2c3d4e'

describe('createHopCollector', () => {
  it('keeps hops apart by scenario and orders them by step, then by when they began', async () => {
    const recorded = [
      hop(1, { at: 3000, scenarioId: tagOf(runId, 1), url: '/inner' }),
      hop(2, { at: 2000, scenarioId: tagOf(runId, 1), url: '/outer' }),
      hop(3, { at: 1000, scenarioId: tagOf(runId, 2), url: '/after-the-clock-went-back' }),
      hop(4, { at: 3500, scenarioId: tagOf(runId, 1), url: '/queued' }),
      hop(5, { scenarioId: tagOf('suite/other/ES256K@00', 1) }),
      hop(6, { scenarioId: undefined }),
      hop(7, { scenarioId: 'somebody-else' }),
    ]
    const collector = createHopCollector(async (since) => recorded.filter(({ id }) => id > since))
    await collector.collect()
    expect(collector.hopsOf(runId).map(({ url, step }) => [url, step])).toEqual([
      ['/outer', 1],
      ['/inner', 1],
      ['/queued', 1],
      ['/after-the-clock-went-back', 2],
    ])
    expect(collector.hopsOf('suite/none/ES256K@00')).toEqual([])
  })

  it('keeps each hop once, also when collections overlap', async () => {
    const recorded = [1, 2, 3].map((id) => hop(id, { scenarioId: tagOf(runId, 1) }))
    const collector = createHopCollector(async (since) => recorded.filter(({ id }) => id > since))
    await Promise.all([collector.collect(), collector.collect(), collector.collect()])
    await collector.collect()
    expect(collector.hopsOf(runId).map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it('tells what others have changed, and counts what the chain has taken', async () => {
    const own = { scenarioId: tagOf(runId, 1) }
    const sent = { kind: 'chain', method: 'POST', url: 'eth_sendRawTransaction', status: 200 }
    const recorded = [
      hop(1, { method: 'POST', status: 200, scenarioId: undefined }),
      hop(2, { method: 'POST', status: 200, ...own }),
      hop(3, { method: 'DELETE', status: 200, scenarioId: harnessTag }),
      hop(4, { method: 'GET', status: 200, scenarioId: undefined }),
      hop(5, { method: 'POST', status: 400, scenarioId: undefined }),
      hop(6, { ...sent, ...own, responseBody: `0x${'1'.repeat(64)}` }),
      hop(7, { ...sent, scenarioId: undefined, responseBody: { error: { code: -32000 } } }),
      hop(8, { method: 'GET', status: 302, scenarioId: tagOf('suite/other/ES256K@00', 1) }),
    ]
    let until = 7
    const collector = createHopCollector(async (since) =>
      recorded.filter(({ id }) => id > since && id <= until),
    )
    await collector.collect()
    const runIds = new Set([runId])
    expect(collector.last).toBe(7)
    expect([0, 1].map((since) => collector.hasForeignChange(since, runIds))).toEqual([true, false])
    expect([0, 6].map((since) => collector.countTransactions(since))).toEqual([1, 0])
    until = 8
    await collector.collect()
    expect(collector.hasForeignChange(7, runIds)).toBe(true)
  })

  it('goes on after a collection that failed', async () => {
    let calls = 0
    const collector = createHopCollector(async () => {
      calls += 1
      if (calls === 1) throw new Error('not there')
      return [hop(1, { scenarioId: tagOf(runId, 1) })]
    })
    await expect(collector.collect()).rejects.toThrow()
    await collector.collect()
    expect(collector.hopsOf(runId)).toHaveLength(1)
  })
})

const at = 1_795_255_200_000
const urlsOf = (hops: ReturnType<typeof orderHops>) => hops.map(({ url }) => url)

describe('orderHops', () => {
  it('puts a call before those within it, though they ended earlier in the same millisecond', () => {
    const requestId = 'one'
    const hops = [
      createScenarioHop({ id: 1, at, url: '/3', requestId, from: 'issuer', to: 'connector' }),
      createScenarioHop({ id: 2, at, url: '/2', requestId, from: 'portal', to: 'issuer' }),
      createScenarioHop({ id: 3, at, url: '/5', requestId: 'two', from: 'portal', to: 'issuer' }),
      createScenarioHop({ id: 4, at: at - 1, url: '/1', requestId: 'three' }),
    ]
    expect(urlsOf(orderHops(hops))).toEqual(['/1', '/2', '/3', '/5'])
  })

  it('keeps the calls of nested calls with the innermost one', () => {
    const requestId = 'one'
    const hops = [
      createScenarioHop({ id: 1, at, url: '/b', requestId, from: 'verifier', to: 'tir' }),
      createScenarioHop({ id: 2, at, url: '/d', requestId, from: 'tir', to: 'chain' }),
      createScenarioHop({ id: 3, at, url: '/c', requestId, from: 'verifier', to: 'tir' }),
      createScenarioHop({ id: 4, at, url: '/a', requestId, from: 'wallet', to: 'verifier' }),
    ]
    expect(urlsOf(orderHops(hops))).toEqual(['/a', '/b', '/c', '/d'])
  })

  it('keeps those without a known outer call, in the order of steps and times', () => {
    const hops = [
      createScenarioHop({ id: 1, at, step: 2, url: '/3' }),
      createScenarioHop({ id: 2, at: at + 9, step: 1, url: '/2' }),
      createScenarioHop({ id: 3, at, step: 1, url: '/1', requestId: 'x', from: 'issuer' }),
    ]
    expect(urlsOf(orderHops(hops))).toEqual(['/1', '/2', '/3'])
  })

  it('is told every hop, also by parts that call themselves', () => {
    const hops = [1, 2, 3].map((id) =>
      createScenarioHop({ id, at, requestId: 'x', from: 'issuer', to: 'issuer' }),
    )
    expect(orderHops(hops)).toHaveLength(3)
  })
})
