import { describe, expect, it } from 'vitest'
import type { Hop } from '#kit/traces.ts'
import { createTraceBuffer } from '#testbed/traces.ts'

const hop = (url: string) => () => ({
  at: 1,
  durationMilliseconds: 1,
  from: 'wallet',
  to: 'issuer',
  kind: 'http' as const,
  method: 'GET',
  url,
  status: 200,
})
const urls = (hops: readonly Hop[]) => hops.map(({ url }) => url)

describe('the trace buffer', () => {
  it('tells what came after an id, oldest first', () => {
    const traces = createTraceBuffer()
    for (const url of ['/1', '/2', '/3']) traces.record(hop(url))
    expect(urls(traces.since(0))).toEqual(['/1', '/2', '/3'])
    expect(urls(traces.since(2))).toEqual(['/3'])
    expect(traces.since(3)).toEqual([])
    expect(traces.since(0).map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it('forgets the oldest beyond its capacity', () => {
    const traces = createTraceBuffer(3)
    for (let number = 1; number <= 8; number++) traces.record(hop(`/${number}`))
    expect(urls(traces.since(0))).toEqual(['/6', '/7', '/8'])
    expect(urls(traces.since(7))).toEqual(['/8'])
    expect(urls(traces.since(99))).toEqual([])
  })

  it('describes a hop when it is read first, and once', () => {
    const traces = createTraceBuffer()
    let described = 0
    traces.record(() => {
      described += 1
      return hop('/1')()
    })
    expect(described).toBe(0)
    expect(traces.since(0)).toEqual(traces.since(0))
    expect(described).toBe(1)
  })

  it('tells subscribers of new ones until they leave', () => {
    const traces = createTraceBuffer()
    const seen: string[] = []
    traces.record(hop('/before'))
    const leave = traces.subscribe(({ url }) => seen.push(url))
    traces.record(hop('/during'))
    leave()
    traces.record(hop('/after'))
    expect(seen).toEqual(['/during'])
  })
})
