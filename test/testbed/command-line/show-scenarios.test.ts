import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Failure } from '#scenarios/harness/z-results.ts'
import { createResults } from '#test/support/create-results.ts'
import { createScenarioResult } from '#test/support/create-scenario-result.ts'
import { createScenarioDisplay } from '#testbed/command-line/show-scenarios.ts'

function explain(failure: Partial<Failure>): string {
  const written: string[] = []
  const write = (chunk: Buffer, _: string, done: () => void) => {
    written.push(String(chunk))
    done()
  }
  const stream = new Writable({ write }) as unknown as NodeJS.WriteStream
  const failed = createScenarioResult({
    verdict: 'failed',
    failure: { code: 'x', message: 'It differs.', step: 'A step', ...failure },
  })
  createScenarioDisplay({ stream, total: 1 }).finish(createResults({ scenarios: [failed] }))
  return written.join('')
}

describe('createScenarioDisplay', () => {
  it('shows how what was found differs, and the command that repeats it', () => {
    const text = explain({ expected: { a: 1, b: 2 }, actual: { a: 1, b: 3 } })
    expect(text).toContain('  at the step: A step\n  It differs.\n')
    expect(text).toContain('      {\n        "a": 1,\n    -   "b": 2\n    +   "b": 3\n      }\n')
    expect(text).toContain("again alone: testbed run '^issuance/representative/ES256K$'\n")
    expect(text).toContain('0 passed, 1 failed, 0 skipped')
  })

  it('does not repeat what the message says in one line', () => {
    expect(explain({ expected: 200, actual: 404 })).not.toContain('+ found')
    expect(explain({})).not.toContain('+ found')
  })

  it('does not fill the screen', () => {
    const lines = Array.from({ length: 100 }, (_, line) => line)
    const text = explain({ expected: lines, actual: [] })
    expect(text).toContain('more lines are in the report')
    expect(text.split('\n').length).toBeLessThan(60)
  })
})
