import { describe, expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import type { StatusPoll } from '#conformance/targets/target-members.ts'
import { pollStatus } from '#conformance/targets/verdict-sources.ts'
import { type Answer, startAnsweringServer } from '#test/support/servers.ts'

const states = {
  path: '$.status',
  accepted: ['SUCCESS'],
  refused: ['FAILED'],
  pending: ['PENDING'],
  intervalMilliseconds: 5,
}

/** Polls a server that gives these answers one after the other, and the last of them for ever. */
async function poll(answers: readonly Answer[], options: Partial<StatusPoll> = {}, limit = 300) {
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
  it('asks until there is a state that decides, and tells where it was seen', async () => {
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
    // What says the same as before is told once.
    expect(hops.map(({ responseBody }) => responseBody)).toEqual([
      { status: 'PENDING' },
      { status: 'SUCCESS' },
    ])
  })

  it('is not decided by overload, outage, a wrong answer or none', async () => {
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
    expect((await poll([{ status: 500, body: { status: 'FAILED' } }])).verdict).toBe('undecided')
    expect((await poll([{ status: 429 }])).reason).toContain('HTTP 429')
  })

  it('tells a state that it does not know, and decides nothing by it', async () => {
    const { verdict, reason } = await poll([state('DONE')])
    expect(verdict).toBe('undecided')
    expect(reason).toBe('The state is "DONE", of which the target does not say what it means.')
    expect((await poll([state('PENDING')])).reason).toBe('The state is still PENDING.')
  })

  it('reads states of other types', async () => {
    const options = { path: '$.result[0].ok', accepted: [true], refused: [false, 0] }
    const body = { result: [{ ok: false }] }
    expect((await poll([{ status: 200, body }], options)).verdict).toBe('refused')
  })

  it('looks once where the time is over already', async () => {
    const { url, requests } = await startAnsweringServer(() => state('SUCCESS'))
    const source = pollStatus({ url, ...states }, { exchanges: createExchangeLog(), values: {} })
    expect((await source.observe(AbortSignal.abort())).verdict).toBe('accepted')
    expect(requests).toHaveLength(1)
  })
})
