import type { PlanName } from '#conformance/kit/check.ts'
import { partServices } from './deciding-code.ts'
import {
  type Coverage,
  type EvaluationOrder,
  entryOf,
  type TimedCheck,
} from './evaluate-mutants.ts'
import type { GeneratedMutant, InstrumentedCode } from './instrument-code.ts'
import type { PartProcess } from './part-client.ts'
import { type DeclarationName, findUsedDeclarations } from './used-constants.ts'

/** Runs the plan against the correct part, which must pass every check. */
export async function coverCorrectPart(plan: PlanName, part: PartProcess): Promise<Coverage> {
  const coverage = await part.cover()
  const wrong = coverage.checks.filter(({ kind }) => kind !== 'held')
  if (wrong.length === 0) return coverage
  part.end()
  const named = wrong.map(({ id, kind }) => `${id} (${kind})`).join(', ')
  throw new Error(`The correct part does not pass the plan ${plan}: ${named}.`)
}

/** What the coverage of the correct part says about each mutant. */
export interface MutantCoverage {
  /** Whether a check can notice the mutant. */
  isReached(mutant: GeneratedMutant): boolean
  /** Whether its code is executed only when its module is loaded. */
  isAtLoad(mutant: GeneratedMutant): boolean
  /** The checks that execute it; empty at load and in contracts. */
  executedBy(mutant: GeneratedMutant): readonly string[]
  /** How to evaluate it: with the checks that execute it, or with all of them. */
  orderFor(mutant: GeneratedMutant): EvaluationOrder
  /** Remembers which check killed a mutant of this file. */
  noteKill(check: string, file: string): void
}

/** The code of contracts is not instrumented: every check may execute it. */
export const isOfContract = ({ file }: GeneratedMutant): boolean => file.endsWith('.sol')

export function readCoverage(
  plan: PlanName,
  { mutants, sources }: InstrumentedCode,
  coverage: Coverage,
): MutantCoverage {
  const { checks, hits } = coverage
  const checksOf = checksOfMutants(coverage)
  const loaded = new Set(coverage.atLoad)
  const isUsed = findUsedDeclarations({
    entry: entryOf(plan),
    services: partServices[plan],
    isMutated: (file) => file in sources,
    executedByChecks: mutants.filter(({ id }) => checksOf.has(id)).map(declarationOf),
    executedAtLoad: mutants.filter(({ id }) => loaded.has(id)).map(declarationOf),
  })
  const order = createOrder(coverage)
  const isAtLoad = ({ id }: GeneratedMutant) => loaded.has(id) && !checksOf.has(id)
  return {
    isReached: (mutant) =>
      checksOf.has(mutant.id) ||
      (loaded.has(mutant.id) && isUsed(declarationOf(mutant))) ||
      isOfContract(mutant),
    isAtLoad,
    executedBy: ({ id }) => checksOf.get(id) ?? [],
    orderFor(mutant) {
      const own = checksOf.get(mutant.id)
      const toRun = checks.filter(({ id }) => own === undefined || own.includes(id))
      return {
        mutant: mutant.id,
        checks: order.sort(toRun, mutant.file),
        isAtLoad: isAtLoad(mutant),
        hits: sum(toRun.map(({ id }) => hits[id]?.[mutant.id] ?? 0)),
        isAskedTwice: mutant.operator === 'KeepAnswer',
        control: order.control,
      }
    },
    noteKill: order.noteKill,
  }
}

/** The declaration at the top of the module that a mutant is in. */
const declarationOf = ({ file, within }: GeneratedMutant): DeclarationName => ({
  file,
  name: within.split('.')[0] ?? '',
})

/** The checks that execute each mutant. */
function checksOfMutants({ hits }: Coverage): ReadonlyMap<string, readonly string[]> {
  const byMutant = new Map<string, string[]>()
  for (const [check, executed] of Object.entries(hits)) {
    for (const mutant of Object.keys(executed)) {
      const checks = byMutant.get(mutant)
      if (checks) checks.push(check)
      else byMutant.set(mutant, [check])
    }
  }
  return byMutant
}

/**
 * Orders checks so that a mutant is killed soon: quick and specific checks first, and those that
 * killed other mutants of the same file.
 */
function createOrder({ checks, hits }: Coverage) {
  const kills = new Map<string, number>()
  const cost = new Map(
    checks.map(({ id, milliseconds }) => {
      const breadth = Math.sqrt(Object.keys(hits[id] ?? {}).length + 1)
      return [id, (milliseconds + 5) * breadth]
    }),
  )
  const costIn = (id: string, file: string) =>
    (cost.get(id) ?? 0) / (1 + 3 * (kills.get(`${file} ${id}`) ?? 0))
  const reachOf = ({ id }: TimedCheck) => Object.keys(hits[id] ?? {}).length
  const broad = [...checks].sort((one, other) => reachOf(other) - reachOf(one)).slice(0, 10)
  const [control] = broad.sort((one, other) => one.milliseconds - other.milliseconds)
  if (!control) throw new Error('The plan has no checks.')
  return {
    /** The quickest of the ten checks that execute most code. */
    control,
    sort: (own: readonly TimedCheck[], file: string): TimedCheck[] =>
      [...own].sort((one, other) => costIn(one.id, file) - costIn(other.id, file)),
    noteKill(check: string, file: string): void {
      const key = `${file} ${check}`
      kills.set(key, (kills.get(key) ?? 0) + 1)
    },
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
