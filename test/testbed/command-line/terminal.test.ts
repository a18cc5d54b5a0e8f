import { describe, expect, it } from 'vitest'
import { formatBar } from '#testbed/command-line/terminal.ts'

describe('a progress bar', () => {
  it.each([
    [0, '░░░░░░░░░░░░░░░░░░░░ 0 %'],
    [0.5, '██████████░░░░░░░░░░ 50 %'],
    // Full only when it is done.
    [0.999, '███████████████████░ 99 %'],
    [1, '████████████████████ 100 %'],
  ])('shows %d', (done, bar) => {
    expect(formatBar(done)).toBe(bar)
  })
})
