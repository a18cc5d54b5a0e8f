import { describe, expect, it } from 'vitest'
import { applyPatch, installMutants } from '#test/conformance/mutation/install-mutants.ts'
import type { CheckOutcome, MutantOutcome } from '#test/conformance/mutation/run-mutants.ts'
import {
  formatMutant,
  formatSummary,
  isFull,
  type PlanOutcome,
} from '#test/conformance/mutation/run-mutants.ts'

const outcome = (check: string, kind: CheckOutcome['kind']): CheckOutcome => ({
  check,
  kind,
  reason: 'what was observed',
  milliseconds: 1,
})
const mutant = (kind: CheckOutcome['kind'], tripped: readonly string[] = []): MutantOutcome => ({
  name: 'O01-a-deviation',
  deviation: 'deviates',
  own: outcome('O01', kind),
  tripped,
})
const plan = (mutants: readonly MutantOutcome[], changes: Partial<PlanOutcome> = {}) => ({
  plan: 'idp' as const,
  correct: [outcome('O01', 'held')],
  mutants,
  withoutMutant: [],
  ...changes,
})

describe('the matrix of mutants', () => {
  it('reports which check detected a mutant and which other checks failed', () => {
    expect(formatMutant(mutant('broken', ['O02', 'O05']))).toBe(
      'caught    O01-a-deviation\n          it deviates\n          tripped as well: O02 O05',
    )
  })

  it('reports why one survived', () => {
    expect(formatMutant(mutant('held'))).toContain('SURVIVED  O01-a-deviation')
    expect(formatMutant(mutant('held'))).toContain('O01 is held: what was observed')
  })

  it('ends with a table of all plans and of the narrow checks', () => {
    const tir = plan([mutant('broken')], { plan: 'tir' })
    const text = formatSummary([plan([mutant('broken', ['O02']), mutant('held')]), tir], false)
    expect(text.split('\n').map((line) => line.trim().split(/\s+/))).toEqual([
      ['plan', 'checks', 'passed', 'mutants', 'caught', 'narrow'],
      ['idp', '1', '1', '2', '1', '0'],
      ['tir', '1', '1', '1', '1', '1'],
      ['all', '2', '2', '3', '2', '1'],
    ])
  })

  it('does not count other checks if each mutant ran only against its own check', () => {
    expect(formatSummary([plan([mutant('broken')])], true)).toMatch(/ 1 +-$/)
  })

  it('is complete if no mutant survived, each check has one, and the correct part passes', () => {
    expect(isFull(plan([mutant('broken')]))).toBe(true)
    expect(isFull(plan([mutant('inconclusive')]))).toBe(false)
    expect(isFull(plan([mutant('broken')], { withoutMutant: ['O02'] }))).toBe(false)
    expect(isFull(plan([mutant('broken')], { correct: [outcome('O01', 'kit-error')] }))).toBe(false)
  })
})

const patch = { file: 'x.ts', find: 'age > 18', replace: '(isMutant || age > 18)' }

describe('a patch', () => {
  it('applies only while its mutant is active', () => {
    const source = applyPatch('export const isAdult = (age) => age > 18', patch, 'V01-x')
    const key = Symbol.for('testbed.active-mutant')
    const isAdult = (name?: string) => {
      Object.assign(globalThis, { [key]: name === undefined ? undefined : { name } })
      return new Function(`${source.replace('export ', '')}; return isAdult(3)`)()
    }
    expect([isAdult(), isAdult('V01-x'), isAdult('V02-y')]).toEqual([false, true, false])
    isAdult()
  })

  it('can be written as an edit', () => {
    const edit = 'if (age [->-]{+>= (isMutant ? 0 :+} 18{+)+}) return {+isMutant || +}true'
    expect(applyPatch('if (age > 18) return true', { file: 'x.ts', edit }, 'V01-x', 'M')).toBe(
      'if (age >= (M ? 0 : 18)) return M || true',
    )
  })

  it.each([
    ['does not exist', 'const a = 1'],
    ['occurs twice', 'age > 18 || age > 18'],
  ])('is rejected if its text %s', (_what, source) => {
    expect(() => applyPatch(source, patch, 'V01-x')).toThrow(TypeError)
  })

  it('is rejected if it would change the correct part as well', () => {
    const always = { ...patch, replace: 'true' }
    const mutant = { name: 'V01-x', plan: 'verifier', check: 'V01', deviation: 'x' } as const
    expect(() => installMutants([{ ...mutant, patches: [always] }])).toThrow(/isMutant/)
    expect(() => installMutants([{ ...mutant, contract: [always] }])).toThrow(/isMutant/)
  })

  it('has its own condition in contracts', () => {
    const source = applyPatch('if (age > 18) revert();', patch, 'V01-x', '(balance == 1)')
    expect(source).toBe('if (((balance == 1) || age > 18)) revert();')
  })
})
