import { describe, expect, it } from 'vitest'
import { watchSilence } from '#conformance/kit/watch-silence.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'

const system = 'issuer under test'

const hop = (change: Partial<Hop>): Hop => ({
  id: 1,
  at: 0,
  durationMilliseconds: 1,
  from: 'wallet',
  to: system,
  kind: 'http',
  method: 'GET',
  url: 'http://issuer.example',
  status: 0,
  ...change,
})

const silent = [hop({})]
const answered = [hop({ status: 404 })]
const ran = hop({ kind: 'command', responseBody: { exitCode: 0 } })
const hangs = hop({ kind: 'command', responseBody: { stopped: 'timed-out' } })
const notStarted = hop({ kind: 'command', responseBody: { notStarted: 'no such file' } })

/** What is said after checks with these exchanges, one second each. */
function silenceOf(isCommand: boolean, checks: readonly (readonly Hop[])[]): string | undefined {
  let seconds = 0
  const watch = watchSilence({ system, isCommand, now: () => seconds * 1000 })
  for (const hops of checks) {
    seconds += 1
    watch.note({ hops, reason: `no answer at ${seconds}` })
  }
  return watch.silence
}

const silenceAfter = (...checks: readonly (readonly Hop[])[]) => silenceOf(false, checks)

const times = (count: number, hops: readonly Hop[]) => Array.from({ length: count }, () => hops)

describe('a target that answers nothing', () => {
  it('is told of by what a check found, not by the end of its time', () => {
    const watch = watchSilence({ system })
    for (const reason of [undefined, 'no answer', 'no answer again']) {
      watch.note({ hops: silent, reason })
    }
    expect(watch.silence).toBe('no answer')
  })

  it('is one after three checks, and the first of them says why', () => {
    expect(silenceAfter(silent, silent)).toBeUndefined()
    expect(silenceAfter(silent, silent, silent)).toBe('no answer at 1')
  })

  it('is one whose program can not be started, hangs, or whose tools alone work', () => {
    expect(silenceAfter(...times(3, [notStarted]))).toBe('no answer at 1')
    expect(silenceOf(true, times(3, [hangs]))).toBe('no answer at 1')
    expect(silenceAfter(...times(3, [ran, hop({})]))).toBe('no answer at 1')
    expect(silenceAfter([ran], ...times(3, [hop({})]))).toBe('no answer at 2')
  })

  it('is none that answers whatever it be, that asks the kit, or that runs as a command', () => {
    expect(silenceAfter(...times(9, answered))).toBeUndefined()
    expect(silenceAfter(...times(9, [hop({}), hop({ status: 500 })]))).toBeUndefined()
    const asks = hop({ from: system, to: 'DID registry', status: 200 })
    expect(silenceAfter(...times(9, [hop({}), asks]))).toBeUndefined()
    expect(silenceAfter(...times(9, [ran]))).toBeUndefined()
    expect(silenceOf(true, [[ran], ...times(9, [notStarted])])).toBeUndefined()
  })

  it('is none of whom nothing was asked', () => {
    expect(silenceAfter(...times(9, []))).toBeUndefined()
    expect(silenceAfter(...times(9, [hop({ to: 'chain node' })]))).toBeUndefined()
    expect(silenceAfter(...times(9, [hop({ kind: 'person' })]))).toBeUndefined()
    expect(silenceAfter(silent, [], silent, [], silent)).toBe('no answer at 1')
  })

  it('was there before only where it stays away for half a minute', () => {
    expect(silenceAfter(answered, ...times(30, silent))).toBeUndefined()
    expect(silenceAfter(answered, ...times(31, silent))).toBe('no answer at 2')
    expect(silenceAfter(answered, ...times(20, silent), answered, ...times(20, silent))).toBe(
      undefined,
    )
  })
})
