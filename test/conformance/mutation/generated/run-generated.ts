import { createHash } from 'node:crypto'
import { matchesGlob } from 'node:path'
import type { PlanName } from '#conformance/kit/check.ts'
import { compileContractMutant, placeContractMutants } from './contract-mutants.ts'
import { decidingContracts, partServices } from './deciding-code.ts'
import { type Coverage, type Evaluation, entryOf, type TimedCheck } from './evaluate-mutants.ts'
import { type GeneratedMutant, instrumentCode } from './instrument-code.ts'
import { type PartProcess, renewDamaged, startPartProcess } from './part-client.ts'
import { type DeclarationName, findUsedDeclarations } from './used-constants.ts'

export interface GeneratedRun {
  readonly plan: PlanName
  /** How many reachable mutants are run; all of them if it is omitted. */
  readonly sample?: number
  /** The same seed selects the same mutants everywhere. */
  readonly seed: string
  /** Glob of source files. */
  readonly file?: string
  /** Ids of the mutants to run. */
  readonly mutants?: readonly string[]
  /** Mutants that count as survivors without being run. */
  readonly skipped?: ReadonlySet<string>
  /** Processes at the same time. */
  readonly jobs: number
  readonly onOutcome?: (outcome: GeneratedOutcome, done: number, all: number) => void
}

/** The result of one mutant. */
export interface GeneratedOutcome extends GeneratedMutant {
  /** `not-started`: it does not compile, or the part does not start with it. */
  readonly verdict: Evaluation['verdict'] | 'not-started'
  /** The code is executed only when its module is loaded: the part was restarted for this mutant. */
  readonly isAtLoad: boolean
  /** The checks that execute the mutated code; empty at load and in contracts: all were run. */
  readonly executedBy: readonly string[]
  /** The check that failed, or the first one without a result. */
  readonly check?: string
  readonly reason?: string
}

/** The result of one plan. */
export interface GeneratedResult {
  readonly plan: PlanName
  readonly seed: string
  /** All mutants of the code that decides. */
  readonly generated: number
  /** Those that a check executes, or the loading of their module. */
  readonly reachable: number
  /** Mutants that are never executed, by file. */
  readonly notReached: Readonly<Record<string, number>>
  readonly outcomes: readonly GeneratedOutcome[]
}

/**
 * Runs the plan against the correct part to learn which checks execute which mutants, and then a
 * sample of the mutants, each against these checks until one fails.
 * @throws Error if the correct part does not pass the plan
 */
export async function runGenerated(run: GeneratedRun): Promise<GeneratedResult> {
  const { plan, seed, sample, file, mutants: ids, skipped, jobs, onOutcome } = run
  const contracts = decidingContracts[plan]
  const ofContracts = contracts ? placeContractMutants(contracts.files) : []
  const { mutants: ofSources, sources } = await instrumentCode(plan)
  const mutants = [...ofSources, ...ofContracts]
  const inContract = new Set(ofContracts.map(({ id }) => id))
  const first = startPartProcess({ plan })
  const coverage = await first.cover()
  const wrong = coverage.checks.filter(({ kind }) => kind !== 'held')
  if (wrong.length > 0) {
    first.end()
    const named = wrong.map(({ id, kind }) => `${id} (${kind})`).join(', ')
    throw new Error(`The correct part does not pass the plan ${plan}: ${named}.`)
  }
  const executedBy = checksOfMutants(coverage)
  const atLoad = new Set(coverage.atLoad)
  const isUsed = findUsedDeclarations({
    entry: entryOf(plan),
    services: partServices[plan],
    isMutated: (file) => file in sources,
    executedByChecks: ofSources.filter(({ id }) => executedBy.has(id)).map(declarationOf),
    executedAtLoad: ofSources.filter(({ id }) => atLoad.has(id)).map(declarationOf),
  })
  const isReached = (mutant: GeneratedMutant) =>
    executedBy.has(mutant.id) ||
    (atLoad.has(mutant.id) && isUsed(declarationOf(mutant))) ||
    inContract.has(mutant.id)
  const selected = mutants
    .filter(isReached)
    .filter((mutant) => file === undefined || matchesGlob(mutant.file, file))
    .filter(({ id }) => ids === undefined || ids.includes(id))
  const sampled = sampleMutants(selected, seed, sample)
  const order = createOrder(coverage)
  const outcomes: GeneratedOutcome[] = []
  const queue = [...sampled].sort(
    (one, other) => Number(executedBy.has(other.id)) - Number(executedBy.has(one.id)),
  )

  /** Evaluates one mutant after the other. */
  async function work(initial?: PartProcess) {
    const correct = renewDamaged(() => startPartProcess({ plan }), initial)
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const own = executedBy.get(mutant.id)
      const isAtLoad = atLoad.has(mutant.id) && own === undefined
      if (skipped?.has(mutant.id)) {
        outcomes.push({ ...mutant, isAtLoad, executedBy: own ?? [], verdict: 'survived' })
        continue
      }
      const checks = order.sort(
        coverage.checks.filter(({ id }) => own === undefined || own.includes(id)),
        mutant.file,
      )
      const hits = sum(checks.map(({ id }) => coverage.hits[id]?.[mutant.id] ?? 0))
      const contract =
        contracts && inContract.has(mutant.id)
          ? compileContractMutant(contracts.contract, contracts.files, mutant.id)
          : undefined
      const asked = {
        mutant: mutant.id,
        checks,
        isAtLoad,
        hits,
        ...(contract && { contract }),
        isAskedTwice: mutant.operator === 'KeepAnswer',
        control: order.control,
      }
      let evaluation: Evaluation | undefined
      let isStarted = true
      if (isAtLoad) {
        const process = startPartProcess({ plan, mutant: mutant.id })
        isStarted = await process.started
        if (isStarted) evaluation = await process.evaluate(asked)
        process.end()
      } else if (inContract.has(mutant.id) && contract === undefined) {
        isStarted = false
      } else {
        evaluation = await correct.evaluate(asked)
      }
      if (evaluation?.verdict === 'killed') order.noteKill(evaluation.check ?? '', mutant.file)
      const outcome: GeneratedOutcome = {
        ...mutant,
        isAtLoad,
        executedBy: own ?? [],
        ...describeEvaluation(evaluation, isStarted),
      }
      outcomes.push(outcome)
      onOutcome?.(outcome, outcomes.length, sampled.length)
    }
    correct.end()
  }

  await Promise.all(Array.from({ length: jobs }, (_, job) => work(job === 0 ? first : undefined)))
  const notReached: Record<string, number> = {}
  for (const mutant of mutants) {
    if (!isReached(mutant)) notReached[mutant.file] = (notReached[mutant.file] ?? 0) + 1
  }
  const reachable = mutants.filter(isReached).length
  return { plan, seed, generated: mutants.length, reachable, notReached, outcomes }
}

/** The declaration at the top of the module that a mutant is in. */
const declarationOf = ({ file, within }: GeneratedMutant): DeclarationName => ({
  file,
  name: within.split('.')[0] ?? '',
})

function describeEvaluation(evaluation: Evaluation | undefined, isStarted: boolean) {
  if (!isStarted) return { verdict: 'not-started' as const }
  if (!evaluation) return { verdict: 'undecided' as const, reason: 'The process did not respond.' }
  const { verdict, check, reason } = evaluation
  return { verdict, ...(check && { check }), ...(reason && { reason }) }
}

/**
 * A sample that depends only on the seed and the mutants themselves: other mutants that come or go
 * do not change which of the rest are taken first.
 */
export function sampleMutants<Mutant extends { readonly id: string }>(
  mutants: readonly Mutant[],
  seed: string,
  size = mutants.length,
): Mutant[] {
  const ranked = mutants.map((mutant) => ({
    mutant,
    rank: createHash('sha256').update(`${seed} ${mutant.id}`).digest('hex'),
  }))
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1))
  return ranked.slice(0, size).map(({ mutant }) => mutant)
}

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
