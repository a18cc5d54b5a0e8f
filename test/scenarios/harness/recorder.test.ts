import { describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { photograph } from '#scenarios/fixtures/qr-images.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectRefusal,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { createHopCollector, harnessTag, orderHops, tagOf } from '#scenarios/harness/hops.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { createRecorder } from '#scenarios/harness/recorder.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import { readQrPng } from '#test/support/images.ts'
import { createScenarioHop } from '#test/support/results.ts'

describe('createRecorder', () => {
  it('keeps the steps in order, returns their results, and numbers them from 1', async () => {
    const recorder = createRecorder()
    expect(recorder.currentStep).toBe(0)
    expect(await recorder.step('first', () => recorder.currentStep)).toBe(1)
    expect(await recorder.step('second', async () => recorder.currentStep)).toBe(2)
    expect(recorder.currentStep).toBe(0)
    expect(recorder.steps.map(({ title, verdict }) => [title, verdict])).toEqual([
      ['first', 'passed'],
      ['second', 'passed'],
    ])
  })

  it('marks the step that threw, names it, and rethrows the error', async () => {
    const recorder = createRecorder()
    const error = new Error('no')
    await expect(recorder.step('fails', () => Promise.reject(error))).rejects.toBe(error)
    expect(recorder.steps[0]?.verdict).toBe('failed')
    expect(recorder.currentTitle).toBe('fails')
  })

  it('rejects a step within a step', async () => {
    const recorder = createRecorder()
    const nested = recorder.step('outer', () => recorder.step('inner', () => {}))
    await expect(nested).rejects.toThrow(TypeError)
  })

  it('reports each step when it begins', async () => {
    const titles: string[] = []
    const recorder = createRecorder((title) => titles.push(title))
    await recorder.step('one', () => expect(titles).toEqual(['one']))
  })

  it('keeps attachments with their step', async () => {
    const recorder = createRecorder()
    await recorder.step('one', () => recorder.attach('qr', Uint8Array.of(0x89, 0x50), 'image/png'))
    recorder.attach('note', 'text', 'text/plain')
    expect(recorder.attachments).toEqual([
      { name: 'qr', mimeType: 'image/png', base64: 'iVA=', step: 1 },
      { name: 'note', mimeType: 'text/plain', base64: 'dGV4dA==', step: 0 },
    ])
  })

  it('masks the pre-authorized code of an offer, in plain text and in a QR code', () => {
    const grants = { 'pre-authorized_code': 'a-code-that-nobody-else-may-redeem' }
    const link = `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify({ grants }))}`
    const recorder = createRecorder()
    recorder.attach('mail', `Open ${link} on your phone.`, 'text/plain')
    recorder.attach('QR', createQrPng(link), 'image/png')
    recorder.attach('photograph', photograph(createQrPng(link)), 'image/jpeg')
    const [mail, ...images] = recorder.attachments.map(({ base64 }) =>
      Buffer.from(base64, 'base64'),
    )
    const texts = [mail?.toString(), ...images.map((image) => readQrPng(image))]
    for (const text of texts) {
      expect(text).toContain('openid-credential-offer://?credential_offer=')
      expect(text).toContain('a-code-t…')
      expect(text).not.toContain('a-code-that')
    }
  })

  it('ends the current step when it is closed, and ignores later results', async () => {
    const recorder = createRecorder()
    const { promise, resolve } = Promise.withResolvers<void>()
    const work = recorder.step('cut off', () => promise)
    recorder.close()
    resolve()
    await work
    await recorder.step('too late', () => recorder.attach('late', 'x', 'text/plain'))
    expect(recorder.steps.map(({ title, verdict }) => [title, verdict])).toEqual([
      ['cut off', 'failed'],
    ])
    expect(recorder.attachments).toEqual([])
  })
})

const hop = (id: number, overrides: Partial<Hop>): Hop => {
  const { step: _, ...rest } = createScenarioHop({ id, ...overrides })
  return rest
}

const runId = 'suite/scenario/ES256K@0a1b2c3d4e'

describe('createHopCollector', () => {
  it('separates hops by scenario and orders them by step, then by start time', async () => {
    const recorded = [
      hop(1, { at: 3000, scenarioId: tagOf(runId, 1), url: '/inner' }),
      hop(2, { at: 2000, scenarioId: tagOf(runId, 1), url: '/outer' }),
      hop(3, { at: 1000, scenarioId: tagOf(runId, 2), url: '/after-the-clock-went-back' }),
      hop(4, { at: 3500, scenarioId: tagOf(runId, 1), url: '/queued' }),
      hop(5, { scenarioId: tagOf('suite/other/ES256K@00', 1) }),
      hop(6, { scenarioId: undefined }),
      hop(7, { scenarioId: 'somebody-else' }),
    ]
    const collector = createHopCollector(async (since) => recorded.filter(({ id }) => id > since))
    await collector.collect()
    expect(collector.hopsOf(runId).map(({ url, step }) => [url, step])).toEqual([
      ['/outer', 1],
      ['/inner', 1],
      ['/queued', 1],
      ['/after-the-clock-went-back', 2],
    ])
    expect(collector.hopsOf('suite/none/ES256K@00')).toEqual([])
  })

  it('keeps each hop once, even if collections overlap', async () => {
    const recorded = [1, 2, 3].map((id) => hop(id, { scenarioId: tagOf(runId, 1) }))
    const collector = createHopCollector(async (since) => recorded.filter(({ id }) => id > since))
    await Promise.all([collector.collect(), collector.collect(), collector.collect()])
    await collector.collect()
    expect(collector.hopsOf(runId).map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it('reports changes by other clients, and counts transactions', async () => {
    const own = { scenarioId: tagOf(runId, 1) }
    const sent = { kind: 'chain', method: 'POST', url: 'eth_sendRawTransaction', status: 200 }
    const recorded = [
      hop(1, { method: 'POST', status: 200, scenarioId: undefined }),
      hop(2, { method: 'POST', status: 200, ...own }),
      hop(3, { method: 'DELETE', status: 200, scenarioId: harnessTag }),
      hop(4, { method: 'GET', status: 200, scenarioId: undefined }),
      hop(5, { method: 'POST', status: 400, scenarioId: undefined }),
      hop(6, { ...sent, ...own, responseBody: `0x${'1'.repeat(64)}` }),
      hop(7, { ...sent, scenarioId: undefined, responseBody: { error: { code: -32000 } } }),
      hop(8, { method: 'GET', status: 302, scenarioId: tagOf('suite/other/ES256K@00', 1) }),
    ]
    let until = 7
    const collector = createHopCollector(async (since) =>
      recorded.filter(({ id }) => id > since && id <= until),
    )
    await collector.collect()
    const runIds = new Set([runId])
    expect(collector.last).toBe(7)
    expect([0, 1].map((since) => collector.hasForeignChange(since, runIds))).toEqual([true, false])
    expect([0, 6].map((since) => collector.countTransactions(since))).toEqual([1, 0])
    until = 8
    await collector.collect()
    expect(collector.hasForeignChange(7, runIds)).toBe(true)
  })

  it('continues after a failed collection', async () => {
    let calls = 0
    const collector = createHopCollector(async () => {
      calls += 1
      if (calls === 1) throw new Error('not there')
      return [hop(1, { scenarioId: tagOf(runId, 1) })]
    })
    await expect(collector.collect()).rejects.toThrow()
    await collector.collect()
    expect(collector.hopsOf(runId)).toHaveLength(1)
  })
})

const at = 1_795_255_200_000
const urlsOf = (hops: ReturnType<typeof orderHops>) => hops.map(({ url }) => url)

describe('orderHops', () => {
  it('puts a call before its inner calls, even if they ended earlier in the same millisecond', () => {
    const requestId = 'one'
    const hops = [
      createScenarioHop({ id: 1, at, url: '/3', requestId, from: 'issuer', to: 'connector' }),
      createScenarioHop({ id: 2, at, url: '/2', requestId, from: 'portal', to: 'issuer' }),
      createScenarioHop({ id: 3, at, url: '/5', requestId: 'two', from: 'portal', to: 'issuer' }),
      createScenarioHop({ id: 4, at: at - 1, url: '/1', requestId: 'three' }),
    ]
    expect(urlsOf(orderHops(hops))).toEqual(['/1', '/2', '/3', '/5'])
  })

  it('assigns the calls of nested calls to the innermost one', () => {
    const requestId = 'one'
    const hops = [
      createScenarioHop({ id: 1, at, url: '/b', requestId, from: 'verifier', to: 'tir' }),
      createScenarioHop({ id: 2, at, url: '/d', requestId, from: 'tir', to: 'chain' }),
      createScenarioHop({ id: 3, at, url: '/c', requestId, from: 'verifier', to: 'tir' }),
      createScenarioHop({ id: 4, at, url: '/a', requestId, from: 'wallet', to: 'verifier' }),
    ]
    expect(urlsOf(orderHops(hops))).toEqual(['/a', '/b', '/c', '/d'])
  })

  it('keeps calls without a known outer call, in the order of steps and times', () => {
    const hops = [
      createScenarioHop({ id: 1, at, step: 2, url: '/3' }),
      createScenarioHop({ id: 2, at: at + 9, step: 1, url: '/2' }),
      createScenarioHop({ id: 3, at, step: 1, url: '/1', requestId: 'x', from: 'issuer' }),
    ]
    expect(urlsOf(orderHops(hops))).toEqual(['/1', '/2', '/3'])
  })

  it('receives every hop, also from parts that call themselves', () => {
    const hops = [1, 2, 3].map((id) =>
      createScenarioHop({ id, at, requestId: 'x', from: 'issuer', to: 'issuer' }),
    )
    expect(orderHops(hops)).toHaveLength(3)
  })
})

const answer = (overrides: Partial<HttpAnswer>): HttpAnswer => ({
  method: 'GET',
  url: 'http://127.0.0.1/x',
  status: 200,
  headers: new Headers(),
  contentType: 'application/json; charset=utf-8',
  bytes: new Uint8Array(),
  text: '{"a":1}',
  json: { a: 1 },
  ...overrides,
})

const failed = expect.objectContaining({ code: 'expectation_failed' })

describe('expectations that are met', () => {
  it('do not throw, or return the checked value', async () => {
    expectEqual('it', { a: [1] }, { a: [1] })
    expectTrue('it holds', true)
    expectIncludes('it', { a: 1, b: [2] }, { b: [2] })
    expect(expectPresent('it', 0)).toBe(0)
    expect(expectMatch('it', 'abc', /b/)).toBe('abc')
    expect(expectStatus(answer({}), 200).status).toBe(200)
    expect(expectJson(answer({}), 200)).toEqual({ a: 1 })
    expect(expectJson(answer({ contentType: 'application/did+ld+json' }), 200)).toEqual({ a: 1 })
    const error = new Error('no')
    expect(await expectRefusal('it', Promise.reject(error))).toBe(error)
  })
})

describe('expectations that are not met', () => {
  it.each([
    ['a different value', () => expectEqual('it', 1, '1')],
    ['nothing', () => expectEqual('it', undefined, null)],
    ['a false condition', () => expectTrue('it holds', false)],
    ['a missing member', () => expectIncludes('it', {}, { a: 1 })],
    ['a different member', () => expectIncludes('it', { a: [1] }, { a: '[1]' })],
    ['undefined', () => expectPresent('it', undefined)],
    ['null', () => expectPresent('it', null)],
    ['text that does not match', () => expectMatch('it', 'abc', /d/)],
    ['a number', () => expectMatch('it', 1, /1/)],
    ['a different status', () => expectStatus(answer({ status: 500 }), 200)],
    ['a different content type', () => expectJson(answer({ contentType: 'text/html' }), 200)],
    ['not an object', () => expectJson(answer({ json: undefined }), 200)],
  ])('reject %s', (_, check) => {
    expect(check).toThrow(failed)
  })

  it('reject an accepted call', async () => {
    await expect(expectRefusal('it', Promise.resolve(1))).rejects.toEqual(failed)
  })

  it('keep both values for the report', () => {
    expect(() => expectEqual('it', 1, 2)).toThrow(
      expect.objectContaining({ extra: { actual: 1, expected: 2 } }),
    )
  })
})
