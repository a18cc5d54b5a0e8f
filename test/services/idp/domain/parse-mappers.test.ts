import { describe, expect, it } from 'vitest'
import { parseMappers } from '#services/idp/domain/mappers.ts'

const linesOf = (text: string) => parseMappers(text).problems.map(({ line }) => line)

describe('parseMappers', () => {
  it.each([
    ['a = b\nc = d', ['a', 'c']],
    ['a = b\r\nc = d\r\n', ['a', 'c']],
    ['\n\n  a = b  \n\n', ['a']],
    ['', []],
  ])('reads %j', (text, claims) => {
    const { mappers, problems } = parseMappers(text)
    expect(problems).toEqual([])
    expect(mappers.map(({ claim }) => claim)).toEqual(claims)
  })

  it('names the line of each problem, counting empty ones, and reads the others', () => {
    const parsed = parseMappers('\nwrong\na = b\n\nsub = c\na = d')
    expect(parsed.problems.map(({ line }) => line)).toEqual([2, 5, 6])
    expect(parsed.mappers.map(({ claim }) => claim)).toEqual(['a'])
  })

  it('bounds how much there may be', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `c${n} = a`).join('\n')
    expect(linesOf(many(200))).toEqual([])
    expect(linesOf(many(201))).toEqual([201])
  })
})
