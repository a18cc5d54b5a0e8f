import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  broken,
  endCheck,
  endedWith,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '#conformance/kit/check.ts'
import { dueCases, findEach, requireEach } from '#conformance/kit/find-each.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'

type Outcome = Finding | Error

/** Examines cases with these outcomes; an error is thrown. Returns how many were tried as well. */
async function examine(outcomes: readonly Outcome[], atOnce?: number) {
  let tried = 0
  const finding = await findEach(
    outcomes,
    async (outcome) => {
      tried += 1
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    atOnce,
  )
  return { finding, tried }
}

const noAnswer = new TestbedError({ code: 'no_answer', status: 502, message: 'No response.' })
const wrongShape = new TestbedError({
  code: 'expectation_failed',
  status: 500,
  message: 'iss is wrong.',
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the cases of a check', () => {
  it('hold together, with the reason of each', async () => {
    const { finding } = await examine([held('One held'), held('Two held.')])
    expect(finding).toEqual(held('One held. Two held.'))
  })

  it('are all examined, so that one run shows all that fail', async () => {
    const cases = [held('1'), broken('2 failed'), held('3'), broken('4 failed'), wrongShape]
    const { finding, tried } = await examine(cases)
    expect(tried).toBe(5)
    expect(finding).toMatchObject({ kind: 'broken', reason: '2 failed' })
    expect(finding.also?.map(({ reason }) => reason)).toEqual(['4 failed', 'iss is wrong.'])
  })

  it('that must hold end a check if one does not, after all were examined', async () => {
    await requireEach([1, 2], async () => {})
    await requireEach([1, 2], async (each) => held(`${each} held`))
    const outcomes = [undefined, broken('2 failed'), held('3'), wrongShape]
    const check = requireEach(outcomes, async (outcome) => {
      if (outcome instanceof Error) throw outcome
      return outcome
    })
    const finding = endedWith(await check.catch((error: unknown) => error))
    expect(finding).toMatchObject({ kind: 'broken', reason: '2 failed' })
    expect(finding?.also?.map(({ reason }) => reason)).toEqual(['iss is wrong.'])
  })

  it.each<[what: string, cases: Outcome[], reason: string]>([
    [
      'a failure that the profile forbids to one of practice',
      [
        broken('advice', { level: 'practice' }),
        broken('final', { level: 'final' }),
        broken('spec'),
      ],
      'spec',
    ],
    ['an acceptance, which needs no control', [broken('400'), wronglyAccepted('taken')], 'taken'],
    ['a failure to an undecided case', [inconclusive('pending'), broken('broken')], 'broken'],
    [
      'a server error, which is repeated, to an undecided case',
      [inconclusive('pending'), inconclusive('HTTP 500', { isOutage: true })],
      'HTTP 500',
    ],
    ['a failure to a case without a response', [broken('broken'), noAnswer], 'broken'],
  ])('prefer %s', async (_what, cases, reason) => {
    expect((await examine(cases)).finding.reason).toBe(reason)
  })

  it('name every failing case of a case that has several', async () => {
    const nested = await examine([broken('a'), broken('b', { fix: 'Change b.' })])
    const { finding } = await examine([broken('first'), nested.finding, broken('last')])
    expect(finding.also?.map(({ reason }) => reason)).toEqual(['a', 'b', 'last'])
    expect(finding.also?.[1]?.fix).toBe('Change b.')
  })

  it('do not list a server error next to a failure: only a repeated one counts', async () => {
    const error = inconclusive('HTTP 500', { isOutage: true })
    expect((await examine([broken('1'), error])).finding).toEqual(broken('1'))
    const { finding } = await examine([error, { ...error, reason: 'HTTP 500 again' }])
    expect(finding.also?.map(({ reason }) => reason)).toEqual(['HTTP 500 again'])
  })

  it('name failures with the same reason once', async () => {
    const { finding } = await examine([broken('no state'), broken('no state'), broken('late')])
    expect(finding.also?.map(({ reason }) => reason)).toEqual(['late'])
  })

  it.each<[what: string, ending: Outcome]>([
    ['the system does not respond', noAnswer],
    ['something that it depends on failed', inconclusive('blocked', { isBlocked: true })],
  ])('end with a case that cannot be tried because %s', async (_what, ending) => {
    const { finding, tried } = await examine([held('1'), broken('2'), ending, broken('4')])
    expect(tried).toBe(3)
    expect(finding).toEqual(broken('2'))
  })

  it('end a check as they would end it alone', async () => {
    const ending = findEach([1], async () => endCheck(broken('ended', { actual: 7 })))
    expect(await ending).toEqual(broken('ended', { actual: 7 }))
    const fault = new TypeError('a fault of the kit')
    await expect(examine([broken('1'), fault])).rejects.toBe(fault)
  })

  it('are examined several at a time if the target permits it', async () => {
    const { finding, tried } = await examine([noAnswer, broken('2'), broken('3')], 2)
    expect(tried).toBe(2)
    expect(finding.reason).toBe('2')
  })

  it.each([
    ['that all hold take their time', held('held'), 30, 5],
    ['after a failure stop before 10 seconds', broken('broken'), 3, 3],
    ['after one without a verdict stop before 40 seconds', inconclusive('pending'), 15, 2],
  ])('%s', async (_what, outcome, seconds, expected) => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    let tried = 0
    await findEach(Array.from({ length: 5 }), async () => {
      tried += 1
      now += seconds * 1000
      return outcome
    })
    expect(tried).toBe(expected)
  })
})

describe('a repeated check', () => {
  it('sends three of many cases again, at random', () => {
    const all = Array.from({ length: 20 }, (_, index) => index)
    const again = dueCases({ isRepetition: true }, all)
    expect(new Set(again).size).toBe(3)
    expect(all).toEqual(expect.arrayContaining([...again]))
    expect(dueCases({ isRepetition: true }, [1, 2, 3])).toEqual([1, 2, 3])
    expect(dueCases({}, all)).toEqual(all)
  })
})
