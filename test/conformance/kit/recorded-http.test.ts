import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endedWith } from '#conformance/kit/check.ts'
import {
  classifyStatus,
  findRefusal,
  requireAnswer,
  requireJson,
} from '#conformance/kit/classify-answer.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { createRecordedHttp } from '#conformance/kit/recorded-http.ts'
import { watchSilence } from '#conformance/kit/watch-silence.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import { listenOn } from '#test/support/servers.ts'

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

describe('the HTTP client of a part', () => {
  it('records a redirect to a malformed address as the answer that it is', async () => {
    const server = createServer((_, response) => {
      response.writeHead(302, { location: 'http://a:%ff@h.example/' }).end()
    })
    onTestFinished(() => void server.close())
    const origin = await listenOn(server)
    const exchanges = createExchangeLog()
    const { signal } = new AbortController()
    const http = createRecordedHttp({
      part: 'browser',
      to: system,
      exchanges,
      checkId: 'I01',
      signal,
    })
    expect((await http.request(`${origin}/authorize`)).status).toBe(302)
    expect(exchanges.take().map(({ status }) => status)).toEqual([302])
  })
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

describe('a target that does not answer', () => {
  it('is reported by the finding of a check, not by its timeout', () => {
    const watch = watchSilence({ system })
    for (const reason of [undefined, 'no answer', 'no answer again']) {
      watch.note({ hops: silent, reason })
    }
    expect(watch.silence).toBe('no answer')
  })

  it('is detected after three checks, and the first one gives the reason', () => {
    expect(silenceAfter(silent, silent)).toBeUndefined()
    expect(silenceAfter(silent, silent, silent)).toBe('no answer at 1')
  })

  it('includes a program that cannot start or hangs, and a target of which only the tools work', () => {
    expect(silenceAfter(...times(3, [notStarted]))).toBe('no answer at 1')
    expect(silenceOf(true, times(3, [hangs]))).toBe('no answer at 1')
    expect(silenceAfter(...times(3, [ran, hop({})]))).toBe('no answer at 1')
    expect(silenceAfter([ran], ...times(3, [hop({})]))).toBe('no answer at 2')
  })

  it('does not include a target that answers at all, sends requests to the kit, or runs as a command', () => {
    expect(silenceAfter(...times(9, answered))).toBeUndefined()
    expect(silenceAfter(...times(9, [hop({}), hop({ status: 500 })]))).toBeUndefined()
    const asks = hop({ from: system, to: 'DID registry', status: 200 })
    expect(silenceAfter(...times(9, [hop({}), asks]))).toBeUndefined()
    expect(silenceAfter(...times(9, [ran]))).toBeUndefined()
    expect(silenceOf(true, [[ran], ...times(9, [notStarted])])).toBeUndefined()
  })

  it('does not include a target that received no request', () => {
    expect(silenceAfter(...times(9, []))).toBeUndefined()
    expect(silenceAfter(...times(9, [hop({ to: 'chain node' })]))).toBeUndefined()
    expect(silenceAfter(...times(9, [hop({ kind: 'person' })]))).toBeUndefined()
    expect(silenceAfter(silent, [], silent, [], silent)).toBe('no answer at 1')
  })

  it('that answered before is reported only after half a minute of silence', () => {
    expect(silenceAfter(answered, ...times(30, silent))).toBeUndefined()
    expect(silenceAfter(answered, ...times(31, silent))).toBe('no answer at 2')
    expect(silenceAfter(answered, ...times(20, silent), answered, ...times(20, silent))).toBe(
      undefined,
    )
  })
})

function answer(status: number, json?: unknown): HttpAnswer {
  const text = json === undefined ? '' : JSON.stringify(json)
  const headers = new Headers({ 'content-type': 'application/json' })
  const url = 'http://issuer.example/token'
  const bytes = new TextEncoder().encode(text)
  return {
    method: 'POST',
    url,
    status,
    headers,
    contentType: 'application/json',
    bytes,
    text,
    json,
  }
}

const kindOfEnd = (work: () => unknown) => {
  try {
    return work() && 'continued'
  } catch (error) {
    return endedWith(error)?.kind
  }
}

describe('an HTTP status', () => {
  it.each([
    [200, 'accepted'],
    [202, 'accepted'],
    [303, 'accepted'],
    [400, 'refused'],
    [401, 'refused'],
    [404, 'refused'],
    [408, 'timed-out'],
    [429, 'overloaded'],
    [500, 'outage'],
    [502, 'outage'],
    [503, 'overloaded'],
    [504, 'timed-out'],
  ])('%d says: %s', (status, kind) => {
    expect(classifyStatus(status)).toBe(kind)
  })
})

describe('a redirect', () => {
  it('is neither a rejection, an acceptance nor the expected answer', () => {
    expect(findRefusal(answer(302), { what: 'A wrong code' }).kind).toBe('inconclusive')
    expect(kindOfEnd(() => requireAnswer(answer(302), 'The metadata'))).toBe('broken')
  })
})

describe('a rejection in a form other than the expected one', () => {
  const what = 'A wrong code'
  it('has the severity of its status or its error', () => {
    const due = { what, statuses: [400], errors: ['invalid_grant'] } as const
    const levels = { statusLevel: 'practice', errorLevel: 'final' } as const
    const levelOf = (status: number, error: string) =>
      findRefusal(answer(status, { error }), { ...due, ...levels }).level
    expect([levelOf(403, 'invalid_grant'), levelOf(400, 'nope')]).toEqual(['practice', 'final'])
  })

  it('never lowers the severity of an acceptance', () => {
    const finding = findRefusal(answer(200), { what, statusLevel: 'practice' })
    expect(finding).toMatchObject({ kind: 'broken' })
    expect(finding.level).toBe(undefined)
  })
})

describe('if a rejection is expected', () => {
  const what = 'A wrong code'
  const due = { what, statuses: [400], errors: ['invalid_grant'] }
  it.each([
    ['the expected status and error', answer(400, { error: 'invalid_grant' }), 'held'],
    ['another error', answer(400, { error: 'server_error' }), 'broken'],
    ['no error at all', answer(400), 'broken'],
    ['another refusal', answer(403, { error: 'invalid_grant' }), 'broken'],
    ['an acceptance', answer(200, {}), 'broken'],
    ['a redirect', answer(302), 'inconclusive'],
    ['a redirect after it was done', answer(303), 'broken'],
    ['an overload', answer(429), 'inconclusive'],
    ['a fault', answer(500, { error: 'invalid_grant' }), 'inconclusive'],
    ['a timeout', answer(504), 'inconclusive'],
  ])('%s is reported', (_what, given, kind) => {
    expect(findRefusal(given, due).kind).toBe(kind)
  })

  it('accepts any rejection if none is specified', () => {
    expect(findRefusal(answer(404), { what })).toMatchObject({
      kind: 'held',
      verdictSource: 'HTTP status of POST /token',
    })
  })
})

describe('if an answer is expected', () => {
  it.each([
    [200, 'continued'],
    [201, 'broken'],
    [400, 'broken'],
    [429, 'inconclusive'],
    [500, 'inconclusive'],
  ])('%d: %s', (status, kind) => {
    expect(kindOfEnd(() => requireAnswer(answer(status, {}), 'It'))).toBe(kind)
  })

  it.each([[[]], ['text'], [undefined], [null]])('%j is not a JSON object', (json) => {
    expect(kindOfEnd(() => requireJson(answer(200, json), 'It'))).toBe('broken')
  })

  it('a byte order mark, which no page shows, is named', () => {
    const given = { ...answer(200), text: '\ufeff{"sub":1}' }
    expect(() => requireJson(given, 'It')).toThrow('It: the response begins with a byte order mark')
  })
})
