import { describe, expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import type { StatusPoll } from '#conformance/targets/target-members.ts'
import {
  combineVerdicts,
  httpStatus,
  type Observation,
  pollStatus,
  redirectParameter,
  silence,
  type VerdictSource,
  verbOutcome,
} from '#conformance/targets/verdict-sources.ts'
import { type Answer, startAnsweringServer } from '#test/support/servers.ts'

const never = new AbortController().signal

/** A place that reports something immediately, or what it reports when it is asked to end. */
const says = (name: string, verdict: Observation['verdict'], atTheEnd = false): VerdictSource => ({
  name,
  async observe(signal) {
    if (atTheEnd && !signal.aborted) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    }
    return { verdict, source: name, reason: `${name} said so.` }
  },
})

describe('several sources together', () => {
  it('uses the first verdict, and ends the others', async () => {
    const sources = [says('poll', 'undecided', true), says('exit code', 'refused')]
    expect(await combineVerdicts(sources, never)).toMatchObject({
      verdict: 'refused',
      source: 'exit code',
    })
  })

  it('is inconclusive if the last poll contradicts it, and reports both', async () => {
    const sources = [says('poll', 'accepted', true), says('exit code', 'refused')]
    const { verdict, reason, source, isContradiction } = await combineVerdicts(sources, never)
    expect({ verdict, source, isContradiction }).toEqual({
      verdict: 'undecided',
      source: 'exit code; poll',
      isContradiction: true,
    })
    expect(reason).toContain('exit code says refused (exit code said so.)')
    expect(reason).toContain('poll says accepted (poll said so.)')
  })

  it('is inconclusive if nothing was observed', async () => {
    const sources = [says('poll', 'undecided'), says('exit code', 'undecided')]
    expect(await combineVerdicts(sources, never)).toEqual({
      verdict: 'undecided',
      source: 'poll, exit code',
      reason: 'poll said so. exit code said so.',
    })
    expect((await combineVerdicts([], never)).verdict).toBe('undecided')
  })

  it('counts silence only if nothing else is observed, also at the last poll', async () => {
    const quiet = silence(0.05)
    const late = says('poll', 'accepted', true)
    expect(await combineVerdicts([quiet, late], never)).toMatchObject({ verdict: 'accepted' })
    const pending = says('poll', 'undecided', true)
    expect(await combineVerdicts([quiet, pending], never)).toMatchObject({
      verdict: 'refused',
      source: 'silence for 0.05 s',
    })
  })
})

describe('silence', () => {
  it('that is interrupted is inconclusive', async () => {
    const cut = AbortSignal.timeout(20)
    expect((await silence(600).observe(cut)).verdict).toBe('undecided')
  })
})

describe('an HTTP status', () => {
  const marks = { accepted: [200], refused: [400, 422] }
  const verdictOf = async (status: number) =>
    (await httpStatus('status', { status, reason: '' }, marks).observe(never)).verdict

  it('is a verdict only if the target defines it', async () => {
    expect(await verdictOf(200)).toBe('accepted')
    expect(await verdictOf(422)).toBe('refused')
    for (const status of [0, 404, 429, 500, 503]) expect(await verdictOf(status)).toBe('undecided')
  })
})

describe('an error in a redirect', () => {
  const marks = { accepted: ['code'], refused: ['error'] }
  const verdictOf = async (address?: string) =>
    (await redirectParameter(address, marks).observe(never)).verdict

  it('is a rejection, in the query or the fragment, also next to a code', async () => {
    expect(await verdictOf('https://rp.example/?error=access_denied')).toBe('refused')
    expect(await verdictOf('https://rp.example/#error=access_denied')).toBe('refused')
    expect(await verdictOf('https://rp.example/?code=1&error=x')).toBe('refused')
    expect(await verdictOf('https://rp.example/?code=1')).toBe('accepted')
  })

  it('that does not exist is inconclusive', async () => {
    expect(await verdictOf('https://rp.example/error?terror=1')).toBe('undecided')
    expect(await verdictOf(undefined)).toBe('undecided')
    expect(await verdictOf('no address')).toBe('undecided')
  })
})

describe('a verb', () => {
  it.each([
    ['done', 'accepted'],
    ['refused', 'refused'],
    ['failed', 'undecided'],
    ['timed-out', 'undecided'],
    ['overloaded', 'undecided'],
  ] as const)('%s is %s', async (outcome, verdict) => {
    const answer = { outcome, reason: 'So it was.', text: '', json: undefined, source: 'exit code' }
    expect(await verbOutcome('present', async () => answer).observe(never)).toEqual({
      verdict,
      reason: 'So it was.',
      source: 'exit code',
    })
  })
})

const states = {
  path: '$.status',
  accepted: ['SUCCESS'],
  refused: ['FAILED'],
  pending: ['PENDING'],
  intervalMilliseconds: 5,
}

const short = 300

/**
 * Polls a server that gives these answers in order, and then repeats the last of them, until a state
 * decides or the limit in milliseconds is over.
 */
async function poll(answers: readonly Answer[], options: Partial<StatusPoll> = {}, limit = 20_000) {
  let index = 0
  const { url, requests } = await startAnsweringServer(
    () => answers[Math.min(index++, answers.length - 1)] ?? 'hang',
  )
  const exchanges = createExchangeLog()
  const source = pollStatus(
    { url: `${url}/status?session={session}`, ...states, ...options },
    { exchanges, values: { session: 'a&b' } },
  )
  const observation = await source.observe(AbortSignal.timeout(limit))
  return { ...observation, requests, hops: exchanges.take() }
}

const state = (status: unknown): Answer => ({ status: 200, body: { status } })

describe('a status poll', () => {
  it('polls until a state decides, and reports its source', async () => {
    const { verdict, source, requests, hops } = await poll([
      state('PENDING'),
      state('PENDING'),
      state('SUCCESS'),
    ])
    expect({ verdict, source }).toEqual({
      verdict: 'accepted',
      source: 'status poll: $.status = SUCCESS',
    })
    expect(requests.map(({ path }) => path)).toEqual(Array(3).fill('/status?session=a%26b'))
    // A repeated state is reported once.
    expect(hops.map(({ responseBody }) => responseBody)).toEqual([
      { status: 'PENDING' },
      { status: 'SUCCESS' },
    ])
  })

  it('is not decided by an overload, an outage, an invalid answer or no answer', async () => {
    const { verdict } = await poll([
      { status: 429 },
      { status: 503 },
      { status: 500, body: { status: 'FAILED' } },
      { status: 404, body: { status: 'FAILED' } },
      { status: 200, body: '<h1>It works!</h1>' },
      { status: 200, body: { state: 'FAILED' } },
      state('FAILED'),
    ])
    expect(verdict).toBe('refused')
    expect((await poll([{ status: 500, body: { status: 'FAILED' } }], {}, short)).verdict).toBe(
      'undecided',
    )
    expect((await poll([{ status: 429 }], {}, short)).reason).toContain('HTTP 429')
  })

  it('reports an unknown state, and is inconclusive', async () => {
    const { verdict, reason } = await poll([state('DONE')], {}, short)
    expect(verdict).toBe('undecided')
    expect(reason).toBe('The state is "DONE", and the target does not define its meaning.')
    expect((await poll([state('PENDING')], {}, short)).reason).toBe('The state is still PENDING.')
  })

  it('reads states of other types', async () => {
    const options = { path: '$.result[0].ok', accepted: [true], refused: [false, 0] }
    const body = { result: [{ ok: false }] }
    expect((await poll([{ status: 200, body }], options)).verdict).toBe('refused')
  })

  it('polls once if the time is already over', async () => {
    const { url, requests } = await startAnsweringServer(() => state('SUCCESS'))
    const source = pollStatus({ url, ...states }, { exchanges: createExchangeLog(), values: {} })
    expect((await source.observe(AbortSignal.abort())).verdict).toBe('accepted')
    expect(requests).toHaveLength(1)
  })
})
