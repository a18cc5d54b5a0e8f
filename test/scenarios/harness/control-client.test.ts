import { describe, expect, it } from 'vitest'
import { clockOffset } from '#scenarios/harness/control-client.ts'

describe('the offset of a clock that tells whole seconds', () => {
  it.each([
    ['none, within one second', { asked: 10.1, answered: 10.2, now: 10, known: 0 }, 0],
    [
      'none, though a second ended before the answer',
      { asked: 9.9, answered: 10.1, now: 9, known: 0 },
      0,
    ],
    [
      'none, though a second ended after the question',
      { asked: 9.9, answered: 10.1, now: 10, known: 0 },
      0,
    ],
    ['an hour', { asked: 10.1, answered: 10.2, now: 3610, known: 0 }, 3600],
    [
      'an hour, asked at the end of a second',
      { asked: 9.9, answered: 10.1, now: 3609, known: 0 },
      3600,
    ],
    ['never behind', { asked: 9.9, answered: 10.1, now: 3610, known: 0 }, 3601],
    ['an hour that was known', { asked: 9.9, answered: 10.1, now: 3609, known: 3600 }, 3600],
    ['back to none', { asked: 10.1, answered: 10.2, now: 10, known: 3600 }, 0],
  ])('is %s', (_name, reading, expected) => {
    expect(clockOffset(reading)).toBe(expected)
  })
})
