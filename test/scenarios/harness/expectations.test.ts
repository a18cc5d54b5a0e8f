import { describe, expect, it } from 'vitest'
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
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'

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

describe('expectations that hold', () => {
  it('say nothing, or give what they were asked about', async () => {
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

describe('expectations that do not hold', () => {
  it.each([
    ['another value', () => expectEqual('it', 1, '1')],
    ['nothing', () => expectEqual('it', undefined, null)],
    ['a false condition', () => expectTrue('it holds', false)],
    ['a missing member', () => expectIncludes('it', {}, { a: 1 })],
    ['another member', () => expectIncludes('it', { a: [1] }, { a: '[1]' })],
    ['undefined', () => expectPresent('it', undefined)],
    ['null', () => expectPresent('it', null)],
    ['text of another form', () => expectMatch('it', 'abc', /d/)],
    ['no text', () => expectMatch('it', 1, /1/)],
    ['another status', () => expectStatus(answer({ status: 500 }), 200)],
    ['another content type', () => expectJson(answer({ contentType: 'text/html' }), 200)],
    ['no object', () => expectJson(answer({ json: undefined }), 200)],
  ])('refuse %s', (_, check) => {
    expect(check).toThrow(failed)
  })

  it('refuse what was accepted', async () => {
    await expect(expectRefusal('it', Promise.resolve(1))).rejects.toEqual(failed)
  })

  it('keep both sides for the report', () => {
    expect(() => expectEqual('it', 1, 2)).toThrow(
      expect.objectContaining({ extra: { actual: 1, expected: 2 } }),
    )
  })
})
