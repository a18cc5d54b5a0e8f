import { describe, expect, it } from 'vitest'
import { requireFinding } from '#conformance/kit/classify-answer.ts'
import { findEachRefused, findLateCopies } from '#conformance/plans/registries/findings.ts'
import { noAnswer } from '#scenarios/errors.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'

function answer(status: number, headers: Record<string, string> = {}): HttpAnswer {
  const [method, url, contentType] = ['POST', 'https://registry.example/', 'application/json']
  const content = { contentType, bytes: new Uint8Array(), text: '', json: { data: '0x' } }
  return { method, url, status, headers: new Headers(headers), ...content }
}

/** Answers with one status after the other, and repeats the last one. */
function answering(...statuses: [number, ...number[]]): () => Promise<HttpAnswer> {
  let next = 0
  return async () => answer(statuses[Math.min(next++, statuses.length - 1)] ?? 0)
}

/** Closes the connection instead of an answer. */
async function closing(): Promise<HttpAnswer> {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
  throw noAnswer('POST', 'https://registry.example/', cause.message, cause)
}

describe('wrong requests to a registry', () => {
  it.each([
    ['are rejected', answering(400), answering(200), { kind: 'held' }],
    ['fail twice', answering(500), answering(200), { kind: 'broken', level: 'practice' }],
    ['are not implemented', answering(501), answering(200), { kind: 'broken', actual: 'HTTP 501' }],
    ['lose their connection', closing, answering(200), { kind: 'broken', level: 'practice' }],
    ['lose their connection, as the control', closing, closing, { kind: 'inconclusive' }],
    ['fail once', answering(500, 400), answering(200), { kind: 'held' }],
    ['fail, and then the control', answering(500), answering(200, 500), { kind: 'inconclusive' }],
    ['fail without a control', answering(500), undefined, { kind: 'inconclusive' }],
    ['meet an overload', answering(503), answering(200), { kind: 'inconclusive' }],
  ] as const)('that %s', async (_, send, control, expected) => {
    const options = { statuses: [400], ...(control && { control }) }
    const finding = await findEachRefused({ 'no did': send }, options).catch(requireFinding)
    expect(finding).toMatchObject(expected)
  })
})

describe('the time for which caches may return an answer', () => {
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT'

  it.each([
    ['is not set', {}, undefined],
    ['is 5 seconds', { 'cache-control': 'public, max-age=5' }, undefined],
    ['is longer', { 'cache-control': 'public, max-age=6' }, 6],
    ['is longer for shared caches', { 'cache-control': 'max-age=0, S-MaxAge="60"' }, 60],
    ['is longer while caches ask', { 'cache-control': 'max-age=1, stale-while-revalidate=9' }, 10],
    ['is 0 with no-cache', { 'cache-control': 'no-cache, max-age=60' }, undefined],
    ['is that until Expires', { date, expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }, 3600],
    ['is 0 with an Expires in the past', { date, expires: '0' }, undefined],
  ])('%s', (_, headers, actual) => {
    const expected = actual && { kind: 'broken', level: 'practice', actual }
    expect(findLateCopies(answer(200, headers))).toEqual(
      expected && expect.objectContaining(expected),
    )
  })
})
