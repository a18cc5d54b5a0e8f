import { untilAborted } from '#scenarios/harness/waiting.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import type { CheckBase, CheckLevel } from './check.ts'
import { type Finding, inconclusive } from './check.ts'
import { findingOfError } from './classify-answer.ts'
import { describeCheck } from './describe-check.ts'
import type { ExchangeLog, Mask } from './evidence/exchange-log.ts'
import { describeMaskedDifference } from './evidence/exchange-log.ts'
import type { LoadedCheck } from './load-checks.ts'
import type { OpenPlan } from './plan.ts'
import { createRecordedHttp } from './recorded-http.ts'
import { watchSilence } from './watch-silence.ts'

export interface RunPlanOptions<Context extends CheckBase> {
  readonly checks: readonly LoadedCheck<Context>[]
  readonly exchanges: ExchangeLog
  /** Checks of the levels `final` and `practice` may fail as well. */
  readonly strict?: boolean
  /** Milliseconds that a check may take; by default 60 000. */
  readonly timeLimitMilliseconds?: number
  /** What `testbed conformance PLAN` needs besides, to run a check again. */
  readonly repeatOptions?: readonly string[]
  /** Interrupts: the check under way is cut off, the others are not begun. */
  readonly signal: AbortSignal
  readonly onResult?: (result: ScenarioResult) => void
}

/** A check that ran, with what it found; without a finding the kit itself went wrong. */
export interface CheckRun {
  readonly check: LoadedCheck
  readonly finding: Finding | undefined
  readonly result: ScenarioResult
  /** Why it was not begun, where the system under test answers nothing. */
  readonly silence?: string
  /** Its time was over before it found anything. */
  readonly isTimeOver?: boolean
}

/**
 * Runs checks against an open plan, one after the other, since a wallet is one person. Never rejects
 * for what the system under test does. Where that answers nothing at all, the other checks are
 * inconclusive without being begun, and `onResult` is not told each of them.
 */
export async function runPlan<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  options: RunPlanOptions<Context>,
): Promise<CheckRun[]> {
  const runs: CheckRun[] = []
  const proven = new Set<string>()
  const watch = watchSilence({ system: systemOf(plan), isCommand: plan.plan === 'wallet' })
  for (const check of options.checks) {
    const { silence } = watch
    if (silence !== undefined && !options.signal.aborted) {
      runs.push(notTried(plan, check, { ...options, silence }))
      continue
    }
    const run = options.signal.aborted
      ? notBegun(plan, check, options)
      : await runCheck(plan, check, { ...options, proven })
    runs.push(run)
    watch.note({ hops: run.result.hops, reason: foundBy(run) })
    options.onResult?.(run.result)
  }
  return runs
}

/** What a check found, as a sentence; undefined where its time was over. */
function foundBy({ result: { check }, isTimeOver }: CheckRun): string | undefined {
  return isTimeOver ? undefined : check?.reason.replace(/[^.]$/, '$&.')
}

/** `broken` is a FAIL where the profile demands it or the run is strict, a WARN otherwise. */
function verdictOf(finding: Finding | undefined, checkLevel: CheckLevel, strict: boolean) {
  // Whoever is shown the result must not take a fault of the kit for one of the target.
  if (finding === undefined) return 'inconclusive'
  const { kind, level = checkLevel } = finding
  if (kind === 'held') return 'passed'
  if (kind === 'inconclusive') return 'inconclusive'
  // A finding may weigh less than its check, never more.
  const isDemanded = checkLevel === 'spec' && level === 'spec'
  return isDemanded || strict ? 'failed' : 'warned'
}

interface RunCheckOptions<Context extends CheckBase> extends RunPlanOptions<Context> {
  readonly proven: CheckBase['proven']
}

async function runCheck<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  options: RunCheckOptions<Context>,
): Promise<CheckRun> {
  const { exchanges, strict = false } = options
  const startedAt = new Date(performance.timeOrigin + performance.now()).toISOString()
  const began = performance.now()
  exchanges.take()
  const { finding, fault, isTimeOver = false } = await evaluateCheck(plan, check, options)
  const left = await settle(plan)
  const described = describeCheck(plan, check, options)
  const verdict = options.signal.aborted ? 'interrupted' : verdictOf(finding, check.level, strict)
  const found = finding?.reason ?? 'The kit itself went wrong; this says nothing of the target.'
  const told =
    left === undefined ? found : `${found} What it left behind could not be ended: ${left}`
  const result: ScenarioResult = {
    ...described,
    check: {
      ...described.check,
      // A part of a check may be about what another level asks for.
      level: finding?.level ?? check.level,
      reason: exchanges.mask(told),
      ...(finding?.verdictSource === undefined
        ? {}
        : { verdictSource: exchanges.mask(finding.verdictSource) }),
    },
    verdict,
    startedAt,
    durationMilliseconds: performance.now() - began,
    ...(verdict === 'failed' || verdict === 'warned' || finding === undefined
      ? { failure: describeFailure(finding, fault, exchanges.mask) }
      : {}),
    hops: exchanges.take().map((hop) => ({ ...hop, to: partOf(plan, hop), step: 0 })),
  }
  return { check, finding, result, isTimeOver }
}

/** Ends what a check left behind; tells why that failed, as the other checks are to run all the same. */
async function settle({ settle: end }: Pick<OpenPlan, 'settle'>): Promise<string | undefined> {
  try {
    await end?.()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Adapters drive a system of whatever kind: the plan knows which, and it is one in the evidence. */
const partOf = (plan: Pick<OpenPlan, 'plan'>, { to }: { readonly to: string }) =>
  to === 'system under test' ? systemOf(plan) : to

const systemOf = ({ plan }: Pick<OpenPlan, 'plan'>) => `${plan} under test`

interface Evaluation {
  readonly finding: Finding | undefined
  readonly fault?: unknown
  readonly isTimeOver?: boolean
}

/** What a check finds within its time; without a finding the kit itself went wrong. */
async function evaluateCheck<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  { exchanges, proven, timeLimitMilliseconds = 60_000, ...options }: RunCheckOptions<Context>,
): Promise<Evaluation> {
  const missing = (check.needs ?? []).map(plan.missing).find((reason) => reason !== undefined)
  if (missing !== undefined) return { finding: inconclusive(missing) }
  const ownLimit = check.timeLimitMilliseconds ?? timeLimitMilliseconds
  const limit = Math.max(ownLimit, plan.timeLimitMilliseconds ?? 0)
  const timeLimit = AbortSignal.timeout(limit)
  const signal = AbortSignal.any([options.signal, timeLimit])
  const to = systemOf(plan)
  const checkId = `conformance/${check.name}`
  try {
    const context = await plan.createContext({
      exchanges,
      proven,
      now: () => Math.floor(Date.now() / 1000),
      signal,
      httpAs: (part, other = to) =>
        createRecordedHttp({ part, to: other, exchanges, checkId, signal }),
    })
    return { finding: await untilAborted(signal, runWithControl(plan, check, context)) }
  } catch (fault) {
    if (!timeLimit.aborted) return { finding: findingOfError(fault), fault }
    const told = `It was not decided within ${limit / 1000} seconds.`
    return { finding: inconclusive(told), isTimeOver: true }
  }
}

/** What a check finds, where its control does not hold: nothing, for the control's reason. */
async function runWithControl<Context extends CheckBase>(
  { controls = {} }: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  context: Context,
): Promise<Finding> {
  const { control: name } = check
  const finding = await check.run(context).catch(requireFinding)
  if (name === undefined || context.proven.has(name) || !restsOnControl(check, finding)) {
    return finding
  }
  const control = controls[name]
  if (!control) throw new TypeError(`${check.id}: the plan has no control ${name}`)
  const { kind, reason, verdictSource } = await control.run(context).catch(requireFinding)
  if (kind !== 'held') return inconclusive(reason, verdictSource ? { verdictSource } : {})
  context.proven.add(name)
  return finding
}

/** An acceptance shows something by itself; a refusal only of a system that accepts what is good. */
const restsOnControl = ({ expectation }: LoadedCheck, { kind, isAcceptance }: Finding) =>
  kind === 'held' ? expectation !== 'accept' : kind === 'broken' && !isAcceptance

/** @throws the error where it is a fault of the kit itself */
function requireFinding(error: unknown): Finding {
  const finding = findingOfError(error)
  if (finding === undefined) throw error
  return finding
}

function notBegun<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  options: RunPlanOptions<Context>,
): CheckRun {
  const result = { ...describeCheck(plan, check, options), verdict: 'not-run' as const, hops: [] }
  return { check, finding: undefined, result }
}

/** What could be found out of a system that answers nothing: nothing. */
function notTried<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  options: RunPlanOptions<Context> & { readonly silence: string },
): CheckRun {
  const { silence } = options
  const described = describeCheck(plan, check, options)
  const reason = `It was not tried, as the target answers nothing. ${silence}`
  const result: ScenarioResult = {
    ...described,
    check: { ...described.check, reason },
    verdict: 'inconclusive',
    failure: { code: 'target_silent', message: reason },
    hops: [],
  }
  return { check, finding: inconclusive(reason), result, silence }
}

function describeFailure(finding: Finding | undefined, fault: unknown, mask: Mask) {
  if (finding === undefined) {
    const { message, stack } = fault instanceof Error ? fault : new Error(String(fault))
    return { code: 'kit_error', ...mask({ message, ...(stack === undefined ? {} : { stack }) }) }
  }
  const { reason, expected, actual, failures } = finding
  return {
    code: 'check_broken',
    ...mask({
      message: `${reason}${describeMaskedDifference(expected, actual, mask)}`,
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined && failures === undefined ? {} : { actual: actual ?? failures }),
    }),
  }
}
