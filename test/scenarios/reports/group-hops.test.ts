import { describe, expect, it } from 'vitest'
import { groupHops } from '#scenarios/reports/group-hops.ts'
import { createScenarioHop } from '#test/support/create-scenario-result.ts'

const poll = (status: string) => createScenarioHop({ url: `/requests?session=${status}` })

describe('groupHops', () => {
  it('draws a polling page together and counts on after it', () => {
    const hops = [createScenarioHop(), poll('a'), poll('b'), poll('c'), createScenarioHop()]
    expect(groupHops(hops).map(({ number, hops: { length } }) => [number, length])).toEqual([
      [1, 1],
      [2, 3],
      [5, 1],
    ])
  })

  it.each([
    ['status', { status: 400 }],
    ['caller', { from: 'browser' }],
    ['callee', { to: 'idp' }],
    ['method', { method: 'GET' }],
    ['path', { url: '/other' }],
    ['step', { step: 2 }],
  ])('keeps hops apart that differ in their %s', (_, difference) => {
    expect(groupHops([createScenarioHop(), createScenarioHop(difference)])).toHaveLength(2)
  })
})
