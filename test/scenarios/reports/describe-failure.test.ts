import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJunit } from '#scenarios/reports/create-junit.ts'
import { createSummary } from '#scenarios/reports/create-summary.ts'
import {
  describeFailure,
  diffLines,
  formatDiff,
  listRefusals,
} from '#scenarios/reports/describe-failure.ts'
import { createResults, createScenarioHop, createScenarioResult } from '#test/support/results.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const textOf = (lines: ReturnType<typeof diffLines>, left: 'expected' | 'found') =>
  lines.filter(({ kind }) => kind === left || kind === 'both').map(({ text }) => text)

describe('diffLines', () => {
  it('holds both texts, whatever they are, and as much in common as there is', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const difference = diffLines(before.join('\n'), after.join('\n'))
        expect(textOf(difference, 'expected')).toEqual(before)
        expect(textOf(difference, 'found')).toEqual(after)
        const isEqual = before.join('\n') === after.join('\n')
        expect(difference.every(({ kind }) => kind === 'both')).toBe(isEqual)
      }),
    )
  })

  it('marks as few lines as git does', () => {
    const folder = createTemporaryFolder()
    const [before, after] = ['a\nb\nc\nd\ne\nf', 'x\nb\nd\nc\ne\ng\nf']
    writeFileSync(join(folder, 'before'), `${before}\n`)
    writeFileSync(join(folder, 'after'), `${after}\n`)
    const args = ['diff', '--no-index', '--minimal', '--numstat', 'before', 'after']
    const { stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    const [added, removed] = stdout.split('\t').map(Number)
    const kinds = diffLines(before, after).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'found')).toHaveLength(added ?? -1)
    expect(kinds.filter((kind) => kind === 'expected')).toHaveLength(removed ?? -1)
  })

  it('tells very long ones one after the other', () => {
    const long = Array.from({ length: 600 }, (_, line) => `${line}`).join('\n')
    const difference = diffLines(long, `${long}\nmore`)
    expect(difference.filter(({ kind }) => kind === 'expected')).toHaveLength(600)
    expect(difference.filter(({ kind }) => kind === 'found')).toHaveLength(601)
  })
})

describe('describeFailure', () => {
  const failure = { code: 'expectation_failed', message: 'x' }

  it('shows values as people write them', () => {
    const lines = describeFailure({ ...failure, expected: { a: 1, b: 2 }, actual: { a: 1, b: 3 } })
    expect(formatDiff(lines ?? [])).toBe('  {\n    "a": 1,\n-   "b": 2\n+   "b": 3\n  }')
  })

  it('shows what was found where nothing was named as expected', () => {
    expect(formatDiff(describeFailure({ ...failure, actual: 'text' }) ?? [])).toBe('+ text')
    expect(describeFailure(failure)).toBeUndefined()
  })
})

const step = (title: string, verdict: 'passed' | 'failed') => ({
  title,
  beganAt: 0,
  durationMilliseconds: 10,
  verdict,
})
const broken = (rule: string, reasons: string[]) => ({ rule, passed: false, reasons })

const failed = createScenarioResult({
  verdict: 'failed',
  steps: [step('A bad one is refused', 'passed'), step('A good one logs in', 'failed')],
  failure: {
    code: 'expectation_failed',
    message: 'It ended as FAILED',
    step: 'A good one logs in',
  },
  hops: [
    createScenarioHop({ to: 'verifier', rules: [broken('presentation.expiry', ['it expired'])] }),
    createScenarioHop({
      step: 2,
      to: 'verifier',
      rules: [{ rule: 'trust.root', passed: true }, broken('credential.status', ['a | b', 'c'])],
    }),
  ],
})

describe('what was refused', () => {
  it('is told of the step that failed alone, with rule and reasons', () => {
    expect(listRefusals(failed)).toEqual(['verifier refused wallet: credential.status, a | b, c'])
  })

  it('is nothing where no step failed', () => {
    const steps = failed.steps.map((each) => ({ ...each, verdict: 'passed' as const }))
    expect(listRefusals({ ...failed, steps })).toEqual([])
  })

  it('is in the summary and in the text of the case', () => {
    const results = createResults({ scenarios: [failed] })
    expect(createSummary(results).split('\n')).toContain(
      'Refused: verifier refused wallet: credential.status, a \\| b, c',
    )
    expect(createJunit(results).split('\n')).toContain(
      'Refused: verifier refused wallet: credential.status, a | b, c',
    )
  })
})
