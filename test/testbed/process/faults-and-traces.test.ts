import { describe, expect, it } from 'vitest'
import type { Hop } from '#kit/traces.ts'
import { createFaultSwitchboard, isFaultName } from '#testbed/process/faults.ts'
import { createHopRelay, createTraceBuffer } from '#testbed/process/traces.ts'

describe('the switchboard of faults', () => {
  it('has all faults off by default, and off again after a reset', () => {
    const faults = createFaultSwitchboard()
    expect(faults.list().filter(({ active }) => active)).toEqual([])
    faults.set('tir-down', true)
    expect(faults.isActive('tir-down')).toBe(true)
    expect(faults.isActive('tir-slow')).toBe(false)
    faults.set('tir-down', false)
    expect(faults.isActive('tir-down')).toBe(false)
  })

  it('has exactly the names of the control interface', () => {
    // Those of the control interface's table, and one for the part in front of the IDP.
    expect(
      createFaultSwitchboard()
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'api-keys-down',
      'chain-down',
      'connector-down',
      'database-down',
      'did-registry-down',
      'idp-down',
      'mail-down',
      'management-down',
      'notification-lost',
      'status-list-down',
      'tir-down',
      'tir-slow',
      'verifier-down',
    ])
    expect(isFaultName('status-list-down')).toBe(true)
    expect(isFaultName('constructor')).toBe(false)
  })
})

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
  it('returns entries after an id, oldest first', () => {
    const traces = createTraceBuffer()
    for (const url of ['/1', '/2', '/3']) traces.record(hop(url), 0)
    expect(urls(traces.since(0))).toEqual(['/1', '/2', '/3'])
    expect(urls(traces.since(2))).toEqual(['/3'])
    expect(traces.since(3)).toEqual([])
    expect(traces.since(0).map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it('drops the oldest entries beyond its capacity', () => {
    const traces = createTraceBuffer(300_000)
    for (let number = 1; number <= 8; number++) traces.record(hop(`/${number}`), 90_000)
    expect(urls(traces.since(0))).toEqual(['/6', '/7', '/8'])
    expect(urls(traces.since(7))).toEqual(['/8'])
    expect(urls(traces.since(99))).toEqual([])
  })

  it('drops as many entries as a large one displaces, but not the large one', () => {
    const traces = createTraceBuffer(300_000)
    for (const url of ['/1', '/2', '/3']) traces.record(hop(url), 10_000)
    traces.record(hop('/heavy'), 280_000)
    expect(urls(traces.since(0))).toEqual(['/3', '/heavy'])
    traces.record(hop('/heavier'), 900_000)
    expect(urls(traces.since(0))).toEqual(['/heavier'])
    for (const url of ['/4', '/5']) traces.record(hop(url), 10_000)
    expect(urls(traces.since(0))).toEqual(['/4', '/5'])
  })

  it('does not keep an unlimited number of hops without bodies', () => {
    const traces = createTraceBuffer(300_000)
    for (let number = 1; number <= 10_000; number++) traces.record(hop(`/${number}`), 0)
    const left = urls(traces.since(0))
    expect(left.at(-1)).toBe('/10000')
    expect(left.length).toBeGreaterThan(100)
    expect(left.length).toBeLessThan(1000)
  })

  it('describes a hop only once, when it is first read', () => {
    const traces = createTraceBuffer()
    let described = 0
    traces.record(() => {
      described += 1
      return hop('/1')()
    }, 0)
    expect(described).toBe(0)
    expect(traces.since(0)).toEqual(traces.since(0))
    expect(described).toBe(1)
  })

  it('returns hops that arrive late from another process in the order in which they ended', () => {
    const traces = createTraceBuffer()
    traces.record(hop('/second'), 0, 2000)
    traces.record(hop('/third'), 0, 3000)
    traces.record(hop('/first'), 0, 1000)
    expect(urls(traces.since(0))).toEqual(['/first', '/second', '/third'])
    // A reader of the others still receives it.
    traces.record(hop('/later'), 0, 500)
    expect(urls(traces.since(3))).toEqual(['/later'])
  })

  it('notifies subscribers of new entries until they unsubscribe', () => {
    const traces = createTraceBuffer()
    const seen: string[] = []
    traces.record(hop('/before'), 0)
    const leave = traces.subscribe(({ url }) => seen.push(url))
    traces.record(hop('/during'), 0)
    leave()
    traces.record(hop('/after'), 0)
    expect(seen).toEqual(['/during'])
  })
})

describe('the relay of hops from another process', () => {
  const open = (capacity?: number) => {
    const forwarded: string[] = []
    const relay = createHopRelay((hops) => {
      for (const each of hops) forwarded.push(each.hop.url)
    }, capacity)
    return { relay, forwarded }
  }

  it('keeps hops until they are requested, and forwards each once', () => {
    const { relay, forwarded } = open()
    relay.record(hop('/1'), 0)
    relay.record(hop('/2'), 0)
    expect(forwarded).toEqual([])
    relay.flush()
    relay.flush()
    expect(forwarded).toEqual(['/1', '/2'])
  })

  it('keeps the latest ones if there is no request', () => {
    const { relay, forwarded } = open(300_000)
    for (let number = 1; number <= 8; number++) relay.record(hop(`/${number}`), 90_000)
    relay.flush()
    expect(forwarded).toEqual(['/6', '/7', '/8'])
  })

  it('forwards hops without a request while a subscriber follows them', async () => {
    const { relay, forwarded } = open()
    const traces = createTraceBuffer()
    traces.onFollowed(relay.follow)
    relay.record(hop('/before'), 0)
    const leave = traces.subscribe(() => {})
    const leaveToo = traces.subscribe(() => {})
    expect(forwarded).toEqual(['/before'])
    relay.record(hop('/during'), 0)
    await expect.poll(() => forwarded).toEqual(['/before', '/during'])
    leave()
    leave()
    relay.record(hop('/still followed'), 0)
    await expect.poll(() => forwarded).toContain('/still followed')
    leaveToo()
    relay.record(hop('/after'), 0)
    relay.flush()
    expect(forwarded.at(-1)).toBe('/after')
  })
})
