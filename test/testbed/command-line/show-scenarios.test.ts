import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Failure } from '#scenarios/harness/z-results.ts'
import {
  createCheckResult,
  createConformanceResults,
  createMixedChecks,
  createResults,
  createScenarioResult,
} from '#test/support/results.ts'
import {
  createScenarioDisplay,
  type ScenarioDisplay,
} from '#testbed/command-line/show-scenarios.ts'

/** What a display writes; the stream is not a terminal. */
function display(use: (shown: ScenarioDisplay) => void): string {
  const written: string[] = []
  const write = (chunk: Buffer, _: string, done: () => void) => {
    written.push(String(chunk))
    done()
  }
  const stream = new Writable({ write }) as unknown as NodeJS.WriteStream
  use(createScenarioDisplay({ stream, total: 1 }))
  return written.join('')
}

function explain(failure: Partial<Failure>): string {
  const failed = createScenarioResult({
    verdict: 'failed',
    failure: { code: 'x', message: 'It differs.', step: 'A step', ...failure },
  })
  return display((shown) => shown.finish(createResults({ scenarios: [failed] })))
}

describe('createScenarioDisplay', () => {
  it('shows the difference to the expected value, and the command that repeats it', () => {
    const text = explain({ expected: { a: 1, b: 2 }, actual: { a: 1, b: 3 } })
    expect(text).toContain('  in the step: A step\n  Found: It differs.\n')
    expect(text).toContain('      {\n        "a": 1,\n    -   "b": 2\n    +   "b": 3\n      }\n')
    expect(text).toContain("repeat: testbed run '^issuance/representative/ES256K$'\n")
    expect(text).toContain('0 passed, 1 failed, 0 skipped')
  })

  it('does not repeat a difference that is in the message', () => {
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

describe('checks in the terminal', () => {
  const show = (results: ReturnType<typeof createMixedChecks>) =>
    display((shown) => {
      for (const result of results) shown.show({ kind: 'ended', result })
    })

  it('have one line each, with the reason and the fix if the check did not pass', () => {
    expect(show(createMixedChecks())).toBe(`\
FAIL          V01   A presentation whose signature is wrong is refused
              The presentation was accepted: HTTP 200
              Fix: Verify the signature of vp_token with the key of its kid, and return 400.
WARN          V02   A presentation whose signature is wrong is refused
              The verifier answers after 9 s
              Fix: Verify the signature of vp_token with the key of its kid, and return 400.
INCONCLUSIVE  V03   A presentation whose signature is wrong is refused
              The target has no clock: add the verb set-clock
PASS          V04   A presentation whose signature is wrong is refused
NOT RUN       V05   A presentation whose signature is wrong is refused
              It has not run.
`)
  })

  it('show a value that the reason does not quote, in the list and in the failure', () => {
    const failure = { code: 'check_broken', message: 'The message does not confirm the address.' }
    const wrong = { ...failure, expected: 'a string with a@b.example', actual: 'sent' }
    const values = ['Expected value: a string with a@b.example', 'Found value: sent']
    const warned = createCheckResult({ verdict: 'warned', failure: wrong })
    const failed = createCheckResult({ verdict: 'failed', failure: wrong })
    const results = createConformanceResults({ scenarios: [failed] })
    for (const text of [show([warned]), display((shown) => shown.finish(results))]) {
      for (const value of values) expect(text).toContain(`  ${value}\n`)
    }
    const quoted = {
      ...failure,
      message: 'HTTP 404, but 400 is expected',
      expected: [400],
      actual: 404,
    }
    expect(show([createCheckResult({ verdict: 'warned', failure: quoted })])).not.toContain(
      'value:',
    )
  })

  it('name the other cases that failed below the fix, with the level and fix of each', () => {
    const also = [
      { reason: 'The email differs.', expected: 'a@b.example', actual: 'A@b.example' },
      { reason: 'An empty one was accepted.', level: 'practice' as const, fix: 'Reject it.' },
    ]
    const check = { reason: 'It was accepted.', level: 'spec' as const, fix: 'Verify it.', also }
    expect(show([createCheckResult({ verdict: 'failed', check })])).toContain(`
              It was accepted.
              Fix: Verify it.
              Also: The email differs.
              Expected value: a@b.example
              Found value: A@b.example
              Also (practice): An empty one was accepted.
              Fix: Reject it.
`)
    const many = Array.from({ length: 15 }, (_, index) => ({ reason: `Case ${index} too.` }))
    const text = show([createCheckResult({ verdict: 'failed', check: { also: many } })])
    expect(text).toContain('Also: Case 11 too.\n              And 3 more cases\n')
    expect(show([createCheckResult({ verdict: 'passed', check })])).not.toContain('Also')
  })

  it('name the first check instead of repeating the reason of inconclusive checks', () => {
    const undecided = (id: string) =>
      createCheckResult({
        verdict: 'inconclusive',
        check: { id, reason: 'No offer could be read.' },
      })
    expect(show([undecided('I09'), undecided('I10')])).toMatch(
      /I09 .*\n *No offer could be read\.\n.*I10 .*\n *For the same reason as I09\.\n$/,
    )
  })

  it('do not let a system under test control the terminal', () => {
    const reason = 'refused: \u001b[2Jinvalid_request'
    expect(show([createCheckResult({ verdict: 'inconclusive', check: { reason } })])).not.toContain(
      '\u001b',
    )
  })

  it('are counted by verdict, and each failure is shown with its rule and fix', () => {
    const results = createConformanceResults({ scenarios: createMixedChecks() })
    const text = display((shown) => shown.finish(results))
    expect(text).toContain('✗ V01: A presentation')
    expect(text).toContain('  Expected: the status that the verifier reports for the session\n')
    expect(text).toContain('  Found: The presentation was accepted: HTTP 200\n')
    expect(text).toContain('  Rule: 1.verification/row.3\n')
    expect(text).toContain('    Expected: The signature of the VP is verified.\n')
    expect(text).toContain('  Fix: Verify the signature of vp_token with the key of its kid')
    expect(text).toContain('1 FAIL, 1 WARN, 1 INCONCLUSIVE, 1 PASS, 1 not finished in')
  })
})
