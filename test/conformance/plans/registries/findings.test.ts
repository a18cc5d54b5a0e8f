import { describe, expect, it } from 'vitest'
import { findEachRefused } from '#conformance/plans/registries/findings.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'

/** Answers with one status after the other, and repeats the last one. */
function answering(...statuses: [number, ...number[]]): () => Promise<HttpAnswer> {
  let next = 0
  return async () => {
    const status = statuses[Math.min(next++, statuses.length - 1)] ?? 0
    const [method, url, contentType] = ['POST', 'https://registry.example/', 'application/json']
    const [headers, bytes] = [new Headers(), new Uint8Array()]
    return { method, url, status, headers, contentType, bytes, text: '', json: { data: '0x' } }
  }
}

describe('wrong requests to a registry', () => {
  it.each([
    ['are rejected', answering(400), answering(200), { kind: 'held' }],
    ['fail twice', answering(500), answering(200), { kind: 'broken', level: 'practice' }],
    ['fail once', answering(500, 400), answering(200), { kind: 'held' }],
    ['fail, and then the control', answering(500), answering(200, 500), { kind: 'inconclusive' }],
    ['fail without a control', answering(500), undefined, { kind: 'inconclusive' }],
    ['meet an overload', answering(503), answering(200), { kind: 'inconclusive' }],
  ] as const)('that %s', async (_, send, control, expected) => {
    const options = { statuses: [400], ...(control && { control }) }
    const finding = await findEachRefused({ 'no did': send }, options)
    expect(finding).toMatchObject(expected)
  })
})
