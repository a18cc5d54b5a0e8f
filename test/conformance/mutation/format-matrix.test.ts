import { describe, expect, it } from 'vitest'
import {
  formatMutant,
  formatSummary,
  isFull,
  type PlanOutcome,
} from '#test/conformance/mutation/format-matrix.ts'
import type { CheckOutcome, MutantOutcome } from '#test/conformance/mutation/run-mutants.ts'

const outcome = (check: string, kind: CheckOutcome['kind']): CheckOutcome => ({
  check,
  kind,
  reason: 'what was seen',
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
  it('tells who caught a mutant and what else it tripped', () => {
    expect(formatMutant(mutant('broken', ['O02', 'O05']))).toBe(
      'caught    O01-a-deviation\n          it deviates\n          tripped as well: O02 O05',
    )
  })

  it('tells why one survived', () => {
    expect(formatMutant(mutant('held'))).toContain('SURVIVED  O01-a-deviation')
    expect(formatMutant(mutant('held'))).toContain('O01 is held: what was seen')
  })

  it('ends with a table of all plans, and what is narrow', () => {
    const tir = plan([mutant('broken')], { plan: 'tir' })
    const text = formatSummary([plan([mutant('broken', ['O02']), mutant('held')]), tir], false)
    expect(text.split('\n').map((line) => line.trim().split(/\s+/))).toEqual([
      ['plan', 'checks', 'passed', 'mutants', 'caught', 'narrow'],
      ['idp', '1', '1', '2', '1', '0'],
      ['tir', '1', '1', '1', '1', '1'],
      ['all', '2', '2', '3', '2', '1'],
    ])
  })

  it('claims nothing of the others where each mutant met its own check alone', () => {
    expect(formatSummary([plan([mutant('broken')])], true)).toMatch(/ 1 +-$/)
  })

  it('is full where nothing survived, nothing is without a mutant, and the correct part passes', () => {
    expect(isFull(plan([mutant('broken')]))).toBe(true)
    expect(isFull(plan([mutant('inconclusive')]))).toBe(false)
    expect(isFull(plan([mutant('broken')], { withoutMutant: ['O02'] }))).toBe(false)
    expect(isFull(plan([mutant('broken')], { correct: [outcome('O01', 'kit-error')] }))).toBe(false)
  })
})
