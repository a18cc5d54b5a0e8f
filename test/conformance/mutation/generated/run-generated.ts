import { createHash } from 'node:crypto'
import { matchesGlob } from 'node:path'
import type { PlanName } from '#conformance/kit/check.ts'
import { compileContractMutant, placeContractMutants } from './contract-mutants.ts'
import { decidingContracts } from './deciding-code.ts'
import type { Evaluation, EvaluationOrder } from './evaluate-mutants.ts'
import { type GeneratedMutant, type InstrumentedCode, instrumentCode } from './instrument-code.ts'
import {
  type PartProcess,
  type RenewedProcess,
  renewDamaged,
  startPartProcess,
} from './part-client.ts'
import {
  coverCorrectPart,
  isOfContract,
  type MutantCoverage,
  readCoverage,
} from './read-coverage.ts'

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
  const { plan, seed, sample } = run
  const code = await mutateCode(plan)
  const first = startPartProcess({ plan })
  const coverage = readCoverage(plan, code, await coverCorrectPart(plan, first))
  const reached = code.mutants.filter(coverage.isReached)
  const sampled = sampleMutants(selectMutants(reached, run), seed, sample)
  return {
    plan,
    seed,
    generated: code.mutants.length,
    reachable: reached.length,
    notReached: countByFile(code.mutants.filter((mutant) => !coverage.isReached(mutant))),
    outcomes: await evaluateAll(sampled, { run, coverage, first }),
  }
}

/** The mutants of a plan: those in its sources, and those of its contract. */
async function mutateCode(plan: PlanName): Promise<InstrumentedCode> {
  const { mutants, sources } = await instrumentCode(plan)
  const ofContract = placeContractMutants(decidingContracts[plan]?.files ?? [])
  return { sources, mutants: [...mutants, ...ofContract] }
}

const selectMutants = (mutants: readonly GeneratedMutant[], { file, mutants: ids }: GeneratedRun) =>
  mutants
    .filter((mutant) => file === undefined || matchesGlob(mutant.file, file))
    .filter(({ id }) => ids === undefined || ids.includes(id))

function countByFile(mutants: readonly GeneratedMutant[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { file } of mutants) counts[file] = (counts[file] ?? 0) + 1
  return counts
}

interface Evaluating {
  readonly run: GeneratedRun
  readonly coverage: MutantCoverage
  /** A process with the correct part, which is running already. */
  readonly first: PartProcess
}

/** Evaluates mutants in several processes, one after the other in each. */
async function evaluateAll(
  mutants: readonly GeneratedMutant[],
  { run: { plan, skipped, jobs, onOutcome }, coverage, first }: Evaluating,
): Promise<readonly GeneratedOutcome[]> {
  const outcomeOf = (mutant: GeneratedMutant, evaluated: Evaluated): GeneratedOutcome => ({
    ...mutant,
    isAtLoad: coverage.isAtLoad(mutant),
    executedBy: coverage.executedBy(mutant),
    ...evaluated,
  })
  const isSkipped = ({ id }: GeneratedMutant) => skipped?.has(id) ?? false
  const outcomes = mutants
    .filter(isSkipped)
    .map((mutant) => outcomeOf(mutant, { verdict: 'survived' }))
  const isExecuted = (mutant: GeneratedMutant) => Number(coverage.executedBy(mutant).length > 0)
  const queue = mutants
    .filter((mutant) => !isSkipped(mutant))
    .sort((one, other) => isExecuted(other) - isExecuted(one))

  async function work(initial?: PartProcess): Promise<void> {
    const correct = renewDamaged(() => startPartProcess({ plan }), initial)
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const order = coverage.orderFor(mutant)
      const evaluated = await evaluate({ plan, mutant, order, correct })
      if (evaluated.verdict === 'killed') coverage.noteKill(evaluated.check ?? '', mutant.file)
      const outcome = outcomeOf(mutant, evaluated)
      outcomes.push(outcome)
      onOutcome?.(outcome, outcomes.length, mutants.length)
    }
    correct.end()
  }

  await Promise.all(Array.from({ length: jobs }, (_, job) => work(job === 0 ? first : undefined)))
  return outcomes
}

type Evaluated = Pick<GeneratedOutcome, 'verdict' | 'check' | 'reason'>

interface Asked {
  readonly plan: PlanName
  readonly mutant: GeneratedMutant
  readonly order: EvaluationOrder
  /** A process with the correct part, in which the mutant is switched on. */
  readonly correct: RenewedProcess
}

async function evaluate({ plan, mutant, order, correct }: Asked): Promise<Evaluated> {
  if (order.isAtLoad) return evaluateAtLoad(plan, order)
  const contracts = decidingContracts[plan]
  if (contracts === undefined || !isOfContract(mutant)) {
    return describeEvaluation(await correct.evaluate(order))
  }
  const contract = compileContractMutant(contracts.contract, contracts.files, mutant.id)
  if (contract === undefined) return { verdict: 'not-started' }
  return describeEvaluation(await correct.evaluate({ ...order, contract }))
}

/** Evaluates a mutant in a process that loads its modules with the mutant active. */
async function evaluateAtLoad(plan: PlanName, order: EvaluationOrder): Promise<Evaluated> {
  const process = startPartProcess({ plan, mutant: order.mutant })
  const isStarted = await process.started
  const evaluation = isStarted ? await process.evaluate(order) : undefined
  process.end()
  return isStarted ? describeEvaluation(evaluation) : { verdict: 'not-started' }
}

function describeEvaluation(evaluation: Evaluation | undefined): Evaluated {
  if (!evaluation) return { verdict: 'undecided', reason: 'The process did not respond.' }
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
