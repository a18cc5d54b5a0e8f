import { describe, expect, it } from 'vitest'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

it('reports a value that is nested too deeply to be printed', () => {
  let nested: unknown = []
  for (let depth = 0; depth < 100_000; depth++) nested = [nested]
  const failure = { code: 'expectation_failed' }
  expect(() => expectTrue('the answer has an error', false, nested)).toThrow(
    expect.objectContaining(failure),
  )
  expect(() => expectEqual('id', nested, null)).toThrow(expect.objectContaining(failure))
})

describe('the message about a wrong value', () => {
  const members = { hash: `0x${'a'.repeat(64)}`, from: `0x${'b'.repeat(40)}` }
  const log = { topics: ['0x1', '0x2'], data: '0x' }

  it.each([
    ['of a short value quotes it', undefined, 1, 'x is missing, expected 1'],
    [
      'of a long object names the members that differ',
      { ...members, logs: [log], index: 1 },
      { ...members, logs: [{ ...log, topics: ['0x1', '0x3'] }], contractAddress: null, index: 1 },
      'x: logs.0.topics.1 is "0x2", expected "0x3"; contractAddress is missing, expected null',
    ],
    [
      'of a list of another length quotes the list',
      { ...members, logs: [log, log] },
      { ...members, logs: [] },
      `x: logs is ${JSON.stringify([log, log])}, expected []`,
    ],
    ['of a set quotes its elements', new Set(['a']), new Set(['b']), 'x is ["a"], expected ["b"]'],
  ])('%s', (_, actual, expected, message) => {
    expect(() => expectEqual('x', actual, expected)).toThrow(expect.objectContaining({ message }))
  })

  it('of a page quotes its text', () => {
    const page =
      '<!doctype html>\n<html lang="en">\n<head><title>Login failed</title></head>\n<body><h1>Login failed</h1>\n<p role="alert">No answer</p></body></html>'
    expect(() => expectMatch('the page', page, /was revoked/)).toThrow(
      expect.objectContaining({
        message: 'the page is "Login failed No answer", expected /was revoked/',
        extra: { actual: page, expected: '/was revoked/' },
      }),
    )
  })

  it('counts the members that it does not name', () => {
    const many = (value: number) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`member${index}`, value]))
    expect(() => expectEqual('x', many(1), many(2))).toThrow(/^x: member0 .*; and 17 more$/)
  })
})
