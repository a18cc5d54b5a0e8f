import { describe, expect, it } from 'vitest'
import { describeError } from '#testbed/command-line/exit-codes.ts'

describe('the message of an error', () => {
  it.each([
    [{ code: 'ENOSPC', syscall: 'write' }, 'testbed: Cannot write a file: the disk is full.\n'],
    [
      { code: 'EACCES', syscall: 'open', path: '/a/b' },
      'testbed: Cannot use /a/b: permission denied.\n',
    ],
    [{ code: 'ECONNRESET', syscall: 'read' }, 'testbed: read ECONNRESET\n'],
  ])('says what happened, without a stack: %o', (members, expected) => {
    const error = Object.assign(new Error(`${members.syscall} ${members.code}`), members)
    expect(describeError(error)).toBe(expected)
  })
})
