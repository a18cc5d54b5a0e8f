import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { plainIssues, plainReasons } from '#core/json/plain-issues.ts'

describe('plainIssues', () => {
  it.each([
    [z.string(), 5, 'must be a string'],
    [z.int(), 'five', 'must be a number'],
    [z.int(), 5.5, 'must be an integer'],
    [z.object({}), [], 'must be an object'],
    [z.string(), undefined, 'is missing'],
    [z.enum(['a', 'b', 'c']), 'd', 'must be a, b or c'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(8), 'short', 'must have at least 8 characters'],
    [z.string().max(1), 'ab', 'must have at most 1 character'],
    [z.array(z.string()).min(1), [], 'must have at least 1 item'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items'],
    [z.number().min(0), -1, 'must be at least 0'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.number().lt(9), 9, 'must be less than 9'],
    [z.number().max(9), 10, 'must be at most 9'],
    [z.strictObject({}), { nmae: 1 }, 'has unknown members: nmae'],
    [z.url(), 'nowhere', 'must be an http(s) address'],
    [z.string().regex(/^0x/), 'x', 'does not have the required format'],
    [z.union([z.string(), z.number()]), true, 'is not valid'],
    [z.string().regex(/^0x/, 'must begin with 0x'), 'x', 'must begin with 0x'],
    [z.string().refine(() => false, 'it is not JSON'), 'x', 'it is not JSON'],
  ])('names what is wrong: %#', (schema, value, message) => {
    const { error } = schema.safeParse(value, plainIssues)
    expect(error?.issues.map((issue) => issue.message)).toEqual([message])
  })
})

describe('plainReasons', () => {
  it('are clauses about the value; the text of a schema comes first', () => {
    const schema = z.object({ a: z.string(), b: z.string().regex(/^0x/, 'it lacks 0x') })
    const { error } = schema.safeParse({ a: 1, b: 'x' }, plainReasons)
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'it must be a string',
      'it lacks 0x',
    ])
  })
})
