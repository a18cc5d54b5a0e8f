import { describe, expect, it } from 'vitest'
import { orderHops } from '#scenarios/harness/order-hops.ts'
import { createScenarioHop } from '#test/support/create-scenario-result.ts'

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
