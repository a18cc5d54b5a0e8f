import { describe, expect, it } from 'vitest'
import { endedWith } from '#conformance/kit/check.ts'
import {
  classifyStatus,
  findRefusal,
  requireAnswer,
  requireJson,
} from '#conformance/kit/classify-answer.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'

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
    return work() && 'went on'
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
  it('is neither a refusal nor an acceptance, and no answer that was due', () => {
    expect(findRefusal(answer(302), { what: 'A wrong code' }).kind).toBe('inconclusive')
    expect(kindOfEnd(() => requireAnswer(answer(302), 'The metadata'))).toBe('broken')
  })
})

describe('a refusal that looks otherwise than is due', () => {
  const what = 'A wrong code'
  it('weighs what its status or its error weighs', () => {
    const due = { what, statuses: [400], errors: ['invalid_grant'] } as const
    const levels = { statusLevel: 'practice', errorLevel: 'final' } as const
    const levelOf = (status: number, error: string) =>
      findRefusal(answer(status, { error }), { ...due, ...levels }).level
    expect([levelOf(403, 'invalid_grant'), levelOf(400, 'nope')]).toEqual(['practice', 'final'])
  })

  it('never makes less of what was accepted', () => {
    const finding = findRefusal(answer(200), { what, statusLevel: 'practice' })
    expect(finding).toMatchObject({ kind: 'broken' })
    expect(finding.level).toBe(undefined)
  })
})

describe('where a refusal is due', () => {
  const what = 'A wrong code'
  const due = { what, statuses: [400], errors: ['invalid_grant'] }
  it.each([
    ['the due status and error', answer(400, { error: 'invalid_grant' }), 'held'],
    ['another error', answer(400, { error: 'server_error' }), 'broken'],
    ['no error at all', answer(400), 'broken'],
    ['another refusal', answer(403, { error: 'invalid_grant' }), 'broken'],
    ['an acceptance', answer(200, {}), 'broken'],
    ['a redirect', answer(302), 'inconclusive'],
    ['a redirect after it was done', answer(303), 'broken'],
    ['an overload', answer(429), 'inconclusive'],
    ['a fault', answer(500, { error: 'invalid_grant' }), 'inconclusive'],
    ['a time-out', answer(504), 'inconclusive'],
  ])('%s is told so', (_what, given, kind) => {
    expect(findRefusal(given, due).kind).toBe(kind)
  })

  it('any refusal will do where none is fixed', () => {
    expect(findRefusal(answer(404), { what })).toMatchObject({
      kind: 'held',
      verdictSource: 'HTTP status of POST /token',
    })
  })
})

describe('where an answer is due', () => {
  it.each([
    [200, 'went on'],
    [201, 'broken'],
    [400, 'broken'],
    [429, 'inconclusive'],
    [500, 'inconclusive'],
  ])('%d: %s', (status, kind) => {
    expect(kindOfEnd(() => requireAnswer(answer(status, {}), 'It'))).toBe(kind)
  })

  it.each([[[]], ['text'], [undefined], [null]])('%j is no JSON object', (json) => {
    expect(kindOfEnd(() => requireJson(answer(200, json), 'It'))).toBe('broken')
  })
})
