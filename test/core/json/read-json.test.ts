import { describe, expect, it } from 'vitest'
import { findJsonProblem } from '#core/json/read-json.ts'

const problemOf = (text: string | Buffer) => findJsonProblem(Buffer.from(text as string))
const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

describe('findJsonProblem', () => {
  it.each([
    '{}',
    '',
    'null',
    '"text"',
    '{"a":{"a":{"a":["a","a",{"a":1}]}},"b":"a"}',
    '[{"a":1},{"a":1}]',
    '{"a":"b","c":"b","d":["a","c","a,"]}',
    '{"a":"\\"","b":"\\\\","c":"{\\"c\\":1,\\"c\\":2}"}',
    '{"ä":1,"a\u0308":2}',
    nested(100),
    '{"a":"unterminated',
    '}}}],,"',
  ])('finds none in %s', (text) => {
    expect(problemOf(text)).toBeUndefined()
  })

  it.each([
    ['a repeated name', '{"a":1,"a":1}'],
    ['a repeated name after nested ones', '{"a":{"b":[1,{"c":2}]},"b":1,"a":2}'],
    ['a name repeated in an object within a list', '[1,{"a":1,"b":2,"a":3}]'],
    ['a name repeated by an escape', '{"a":1,"\\u0061":2}'],
    ['a repeated __proto__', '{"__proto__":1,"__proto__":2}'],
    ['a repeated empty name', '{"":1,"":2}'],
    ['a name repeated behind escaped quotes', '{"a":"\\\\\\"","a":1}'],
    ['too many levels', nested(101)],
    ['too many levels of objects', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`],
    ['a byte order mark', '\ufeff{}'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['half a surrogate pair as bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
  ])('finds %s', (_name, text) => {
    expect(problemOf(text)).toEqual(expect.any(String))
  })

  it('takes linear time', () => {
    const size = 1_000_000
    for (const text of [
      '"\\'.repeat(size / 2),
      '\\'.repeat(size),
      `"${'\\"'.repeat(size / 2)}`,
      '{'.repeat(size),
      `"${'\\'.repeat(size)}`,
    ]) {
      const began = performance.now()
      problemOf(text)
      expect(performance.now() - began).toBeLessThan(10_000)
    }
  })
})
