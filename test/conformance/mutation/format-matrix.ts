import type { PlanName } from '#conformance/kit/check.ts'
import type { MutantOutcome, MutationOutcome } from './run-mutants.ts'

/** The outcome for a mutant: caught or not, what it does wrong, and what else it tripped. */
export function formatMutant({ name, deviation, own, tripped }: MutantOutcome): string {
  const isCaught = own.kind === 'broken'
  const lines = [`${isCaught ? 'caught  ' : 'SURVIVED'}  ${name}`, `          it ${deviation}`]
  if (!isCaught) lines.push(`          ${own.check} is ${own.kind}: ${own.reason}`)
  if (tripped.length > 0) lines.push(`          tripped as well: ${tripped.join(' ')}`)
  return lines.join('\n')
}

/** A plan's share of the matrix. */
export interface PlanOutcome extends MutationOutcome {
  readonly plan: PlanName
  /** Checks without any mutant. */
  readonly withoutMutant: readonly string[]
}

/** Whether the correct part passes everything, and each check has a mutant that it catches. */
export const isFull = ({ correct, mutants, withoutMutant }: PlanOutcome): boolean =>
  withoutMutant.length === 0 &&
  correct.every(({ kind }) => kind === 'held') &&
  mutants.every(({ own }) => own.kind === 'broken')

const heads = ['plan', 'checks', 'passed', 'mutants', 'caught', 'narrow']

/**
 * One line for each plan and one for all: its checks, those that the correct part passes, its
 * mutants, those that their own check catches, and those among them that trip no other check.
 * @param ownOnly each mutant ran only against its own check, so the results of the others are unknown
 */
export function formatSummary(outcomes: readonly PlanOutcome[], ownOnly: boolean): string {
  const rows = outcomes.map(({ plan, correct, mutants }) => {
    const caught = mutants.filter(({ own }) => own.kind === 'broken')
    const passed = correct.filter(({ kind }) => kind === 'held').length
    const narrow = caught.filter(({ tripped }) => tripped.length === 0).length
    return { plan, counts: [correct.length, passed, mutants.length, caught.length, narrow] }
  })
  const sums = heads.slice(1).map((_, index) => {
    return rows.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)
  })
  const all = rows.length > 1 ? [...rows, { plan: 'all', counts: sums }] : rows
  const cells = all.map(({ plan, counts }) => [
    plan,
    ...counts.slice(0, -1).map(String),
    ownOnly ? '-' : String(counts.at(-1)),
  ])
  return [heads, ...cells]
    .map(([first = '', ...others]) => {
      return first.padEnd(12) + others.map((cell) => cell.padStart(9)).join('')
    })
    .join('\n')
}
