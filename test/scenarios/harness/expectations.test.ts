import { expect, it } from 'vitest'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

it('reports a value that is nested too deeply to be printed', () => {
  let nested: unknown = []
  for (let depth = 0; depth < 100_000; depth++) nested = [nested]
  const failure = { code: 'expectation_failed' }
  expect(() => expectTrue('the answer has an error', false, nested)).toThrow(
    expect.objectContaining(failure),
  )
  expect(() => expectEqual('id', nested, null)).toThrow(expect.objectContaining(failure))
})
