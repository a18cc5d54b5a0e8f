import { describe, expect, it } from 'vitest'
import type { Failure } from '#scenarios/harness/z-results.ts'
import { createAnnotations } from '#scenarios/reports/create-annotations.ts'
import { locateFailure } from '#scenarios/reports/describe-failure.ts'
import { createScenarioResult } from '#test/support/results.ts'

const failed = (failure: Partial<Failure> = {}, name = 'representative') =>
  createScenarioResult({
    name,
    verdict: 'failed',
    title: 'It fails: at 100 %, always',
    failure: { code: 'x', message: 'a\r\nb % c: d, e', ...failure },
  })
const stack = [
  'Error: x at scenarios/suites/not/this.ts:1:1 either',
  '    at fail (file:///home/x/scenarios/harness/expectations.ts:7:9)',
  '    at file:///home/x/scenarios/suites/issuance/representative.ts:47:7',
  '    at async Object.run (file:///home/x/scenarios/suites/issuance/representative.ts:12:3)',
].join('\n')

describe('createAnnotations', () => {
  // Escaping: actions/toolkit, packages/core/src/command.ts, escapeData and escapeProperty.
  it('are workflow commands, one a line, escaped as the toolkit does', () => {
    expect(createAnnotations({ scenarios: [failed({ stack, step: 'a step' })] })).toEqual([
      '::error file=scenarios/suites/issuance/representative.ts,line=47,col=7,' +
        'title=issuance/representative/ES256K%3A It fails%3A at 100 %25%2C always' +
        '::a%0D%0Ab %25 c: d, e%0AAt the step: a step' +
        "%0AAgain alone: testbed run '^issuance/representative/ES256K$'",
    ])
  })

  it('can not be ended, nor another begun, by what a failure says', () => {
    const [line = ''] = createAnnotations({
      scenarios: [failed({ message: '::\n::set-env name=PATH::x', step: '\r::stop-commands::x' })],
    })
    expect(line).not.toMatch(/[\r\n]/)
    expect(line.startsWith('::error ')).toBe(true)
  })

  it('say nothing of what passed or did not run', () => {
    const scenarios = [createScenarioResult(), createScenarioResult({ verdict: 'not-run' })]
    expect(createAnnotations({ scenarios })).toEqual([])
  })

  it('are ten at most, as a step may show: the last one tells of the others', () => {
    const scenarios = Array.from({ length: 14 }, (_, number) => failed({}, `scenario-${number}`))
    const lines = createAnnotations({ scenarios })
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)).toContain('title=5 more failed')
    expect(lines.at(-1)).toContain('scenario-13')
    expect(createAnnotations({ scenarios: scenarios.slice(0, 10) }).at(-1)).toContain('scenario-9')
  })
})

describe('locateFailure', () => {
  it('finds the innermost place in a suite', () => {
    expect(locateFailure(failed({ stack }))).toEqual({
      file: 'scenarios/suites/issuance/representative.ts',
      line: 47,
      column: 7,
    })
  })

  it('is the file of the scenario where the stack does not tell', () => {
    const place = { file: 'scenarios/suites/issuance/representative.ts' }
    expect(locateFailure(failed())).toEqual(place)
    expect(locateFailure(failed({ stack: 'Error\n    at <anonymous>' }))).toEqual(place)
    const file = 'scenarios/suites/issuance/family.ts'
    expect(locateFailure({ ...failed(), file })).toEqual({ file })
  })
})
