import type { PlanName } from '#conformance/kit/check.ts'
import type { Exchange, ExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import type { OpenPlan } from '#conformance/kit/plan.ts'
import { type CheckRun, runPlan } from '#conformance/kit/run-plan.ts'
import type { ContractCode } from './contract-mutants.ts'
import { replaceContract } from './contract-switch.ts'
import type { SeparatePart } from './separate-part.ts'

/** A check with its duration against the correct part. */
export interface TimedCheck {
  readonly id: string
  readonly milliseconds: number
}

/** What the correct part showed: its checks, and which of them execute which mutants. */
export interface Coverage {
  readonly checks: readonly (TimedCheck & { readonly kind: string })[]
  /** How often each check executed each mutant, by the ids of both. */
  readonly hits: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Mutants that were executed while the modules of the part were loaded. */
  readonly atLoad: readonly string[]
}

export interface EvaluationOrder {
  readonly mutant: string
  /** The checks to run, in this order. */
  readonly checks: readonly TimedCheck[]
  /** Replaces the deployed contract while the checks run. */
  readonly contract?: ContractCode
  /** The mutant was active when its module was loaded; the checks need not execute it. */
  readonly isAtLoad: boolean
  /** How often the checks executed the mutated code of the correct part. */
  readonly hits: number
  /** The mutant depends on what was answered before: checks ask twice, as with other targets. */
  readonly isAskedTwice: boolean
  /** The check that shows afterwards that the correct part is healthy. */
  readonly control: TimedCheck
}

/**
 * `killed`: a check failed that the correct part passes. `undecided`: no check failed, but at least
 * one had no result. `survived`: all checks passed. `not-executed`: they passed, but without those
 * that ran before them they no longer execute the mutant.
 */
export interface Evaluation {
  readonly verdict: 'killed' | 'undecided' | 'survived' | 'not-executed'
  /** The check that failed, or the first one without a result. */
  readonly check?: string
  readonly reason?: string
  /**
   * The mutant was executed, and then the correct part passed the check that failed, or the
   * control.
   */
  readonly isHealthy: boolean
}

/** A check may take this many times as long as with the correct part, and this long in addition. */
const slowness = 5
const patienceMilliseconds = 4000
/** Checks without a result that ask again. */
const mostAskedAgain = 3
/** Stands for a check while the part starts. */
const atStart = 'start'

/** One running part with its plan, in this process. */
interface Evaluator {
  cover(onCheck: () => void): Promise<Coverage>
  evaluate(order: EvaluationOrder, onCheck: () => void): Promise<Evaluation>
}

/** Opens a plan against the separated part of the testbed. */
export async function openEvaluator(name: PlanName, part: SeparatePart): Promise<Evaluator> {
  const exchanges = createPlainExchangeLog()
  const { signal } = new AbortController()
  // What modules compute when they load is decided before the part starts: only the former is what
  // a change of the code would change in every check.
  await part.load(entryOf(name))
  const atLoad = part.executedOutside()
  part.attribute(atStart)
  const { openSelfPlan } = (await part.load('testbed/conformance/open-self-plan.ts')) as {
    openSelfPlan(
      plan: PlanName,
      options: { exchanges: ExchangeLog; signal: AbortSignal },
    ): Promise<OpenPlan>
  }
  const plan = await openSelfPlan(name, { exchanges, signal })
  part.attribute()
  const all = await loadChecks(name)
  const byId = new Map(all.map((check) => [check.id, check]))

  /** Runs checks until one fails, or it takes too long. */
  async function runUntilFailure(
    timed: readonly TimedCheck[],
    { onCheck, once = true }: { readonly onCheck: () => void; readonly once?: boolean },
  ) {
    const checks = timed.flatMap(({ id, milliseconds }) => {
      const check = byId.get(id)
      const timeLimitMilliseconds = slowness * milliseconds + patienceMilliseconds
      return check ? [{ ...check, timeLimitMilliseconds }] : []
    })
    const usual = timed.reduce((all, { milliseconds }) => all + milliseconds, 0)
    const end = new AbortController()
    const limit = AbortSignal.timeout(slowness * usual + 3 * patienceMilliseconds)
    return runPlan(plan, {
      checks,
      exchanges,
      once,
      signal: AbortSignal.any([end.signal, limit]),
      onResult({ verdict }) {
        onCheck()
        if (failures.has(verdict)) end.abort()
      },
    })
  }

  return {
    async cover(onCheck) {
      let next = 0
      part.attribute(all[next]?.id)
      const onResult = () => {
        onCheck()
        next++
        part.attribute(all[next]?.id)
      }
      const runs = await runPlan(plan, { checks: all, exchanges, once: true, signal, onResult })
      part.attribute()
      return {
        checks: runs.map(({ check, finding, result }) => ({
          id: check.id,
          kind: finding?.kind ?? 'kit-error',
          milliseconds: Math.round(result.durationMilliseconds),
        })),
        hits: hitsOf(part),
        atLoad,
      }
    },
    async evaluate({ mutant, checks, isAtLoad, hits, isAskedTwice, contract, control }, onCheck) {
      part.stopCounting()
      part.activate(mutant, 100 * hits + 10_000)
      const restore = contract && (await replaceContract(contract))
      const first = await runUntilFailure(checks, { onCheck, once: !isAskedTwice })
      // Asked again, as with other targets, a check without a result may find an HTTP 500.
      const isDecided = isAskedTwice || first.some(isFailed)
      const open = isDecided ? [] : first.filter(isUnclear).slice(0, mostAskedAgain)
      const again = await runUntilFailure(
        checks.filter(({ id }) => open.some(({ check }) => check.id === id)),
        { onCheck, once: false },
      )
      const runs = [...first, ...again]
      // Something that the correct part has kept can hide the mutated code.
      const isExecuted = isAtLoad || contract !== undefined || part.isExecuted()
      part.activate()
      await restore?.()
      const failed = runs.find(isFailed)
      const after = await runUntilFailure(
        checks.filter(({ id }) => id === failed?.check.id).concat(control),
        { onCheck },
      )
      const isHealthy = isExecuted && after.every(({ finding }) => finding?.kind === 'held')
      if (failed) return { verdict: 'killed', ...describe(failed), isHealthy }
      const blocked = first.filter(({ finding }) => finding?.isBlocked)
      if (blocked.length > all.length / 2) {
        const reason = 'Most checks of the plan are blocked, so that the run fails.'
        return { verdict: 'killed', reason, isHealthy }
      }
      const unclear = first.find(isUnclear)
      if (unclear) return { verdict: 'undecided', ...describe(unclear), isHealthy }
      return { verdict: isExecuted ? 'survived' : 'not-executed', isHealthy }
    },
  }
}

/** The module that starts the part. */
export const entryOf = (plan: PlanName): string =>
  `testbed/conformance/${/^(did-registry|tir)$/.test(plan) ? 'registries' : plan}.ts`

function hitsOf(part: SeparatePart): Coverage['hits'] {
  const { [atStart]: _start, ...ofChecks } = part.executedByChecks()
  return structuredClone(ofChecks)
}

/** Verdicts of checks that found the part broken. */
const failures = new Set(['failed', 'warned'])

const isUnclear = ({ finding }: CheckRun) => finding?.kind !== 'held'

const isFailed = ({ result }: CheckRun) => failures.has(result.verdict)

const describe = ({ check, finding, result }: CheckRun) => ({
  check: check.id,
  reason: finding?.reason ?? result.failure?.message ?? 'The time for this mutant had passed.',
})

/**
 * A log without evidence: no report is written about a mutant, and masking takes a fifth of the
 * time of a plan. It only keeps whether the part answers.
 */
function createPlainExchangeLog(): ExchangeLog {
  let exchanges: Exchange[] = []
  let lastId = 0
  const add: ExchangeLog['add'] = ({ kind = 'http', responseBody, ...exchange }) => {
    const { from, to, method, url, status, durationMilliseconds } = exchange
    // A call of a wallet has no status: its end shows that the wallet answers.
    const end = kind === 'command' ? { responseBody } : {}
    exchanges.push({ kind, from, to, method, url, status, durationMilliseconds, ...end })
  }
  return {
    add,
    attach: () => undefined,
    takeAttachments: () => [],
    leftOut: 0,
    take() {
      const taken = exchanges
      exchanges = []
      return taken.map((exchange) => ({ id: ++lastId, at: 0, kind: 'http', ...exchange }))
    },
    fetchAs:
      (from, to, fetch = globalThis.fetch) =>
      async (input, init) => {
        const began = performance.now()
        const { method, url } = new Request(input instanceof Request ? input.clone() : input, init)
        const note = (status: number) =>
          add({ from, to, method, url, status, durationMilliseconds: performance.now() - began })
        try {
          const response = await fetch(input, init)
          note(response.status)
          return response
        } catch (error) {
          note(0)
          throw error
        }
      },
    hide: () => undefined,
    mask: (value) => value,
  }
}
