import { untilAborted } from '#scenarios/harness/waiting.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import type { CheckBase, CheckLevel } from './check.ts'
import { broken, type Finding, inconclusive } from './check.ts'
import { findingOfError, requireFinding } from './classify-answer.ts'
import { describeCheck } from './describe-check.ts'
import type { ExchangeLog, Mask } from './evidence/exchange-log.ts'
import { describeMaskedDifference } from './evidence/exchange-log.ts'
import { worstOf } from './find-each.ts'
import type { LoadedCheck } from './load-checks.ts'
import type { OpenPlan } from './plan.ts'
import { createRecordedHttp } from './recorded-http.ts'
import { watchSilence } from './watch-silence.ts'

export interface RunPlanOptions<Context extends CheckBase> {
  readonly checks: readonly LoadedCheck<Context>[]
  readonly exchanges: ExchangeLog
  /** Checks of the levels `final` and `practice` can fail as well. */
  readonly strict?: boolean
  /** Time limit of a check in milliseconds; by default 60 000. */
  readonly timeLimitMilliseconds?: number
  /** The options that `testbed conformance PLAN` needs to run a check again. */
  readonly repeatOptions?: readonly string[]
  /** Each verdict rests on one answer; by default refusals are asked for twice. */
  readonly once?: boolean
  /** Interrupts the run: the current check is cut off, and the others do not start. */
  readonly signal: AbortSignal
  readonly onResult?: (result: ScenarioResult) => void
}

/** A check that ran, with its finding; no finding means an internal error in the kit. */
export interface CheckRun {
  readonly check: LoadedCheck
  readonly finding: Finding | undefined
  readonly result: ScenarioResult
  /** Why it did not start, if the system under test does not respond. */
  readonly silence?: string
  /** Its time limit passed before it found anything. */
  readonly isTimeOver?: boolean
  /** The system under test gave a different answer when it was asked again. */
  readonly isUnstable?: boolean
}

/** From this number on, differing answers are not an accident of one place. */
export const unstableFrom = 2

/**
 * Runs checks against an open plan, one after the other, since a wallet is one person. Never
 * rejects because of the system under test. If the system does not respond, the remaining checks
 * are inconclusive without being started, and `onResult` is not called for them. If it answers the
 * same request differently in several checks, what it passed counts as inconclusive in the outcome.
 */
export async function runPlan<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  options: RunPlanOptions<Context>,
): Promise<CheckRun[]> {
  const runs: CheckRun[] = []
  const proven = new Set<string>()
  const watch = watchSilence({ system: systemOf(plan), isCommand: plan.plan === 'wallet' })
  let silence: string | undefined
  for (const check of options.checks) {
    if (watch.silence !== undefined && !options.signal.aborted) {
      silence ??= await describeSilence(plan, watch.silence, options.exchanges.mask)
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
  const unstable = runs.filter(({ isUnstable }) => isUnstable).map(({ check }) => check.id)
  return unstable.length < unstableFrom ? runs : runs.map((run) => distrust(run, unstable))
}

async function describeSilence(plan: OpenPlan, reason: string, mask: Mask): Promise<string> {
  const cause = await plan.describeProgram?.()
  return cause === undefined ? reason : `${reason} ${sentence(mask(cause))}`
}

/** A pass of a system that answers at random is chance. */
function distrust(run: CheckRun, unstable: readonly string[]): CheckRun {
  const { finding, result, check } = run
  if (finding?.kind !== 'held' || result.check === undefined) return run
  const reason = `The target responds differently to the same request (${unstable.join(', ')}), so this response proves nothing: ${result.check.reason}`
  return {
    ...run,
    check,
    finding: inconclusive(reason),
    result: { ...result, verdict: 'inconclusive', check: { ...result.check, reason } },
  }
}

/** What a check found, as a sentence; undefined if its time limit passed. */
function foundBy({ result: { check }, isTimeOver }: CheckRun): string | undefined {
  return isTimeOver ? undefined : check && sentence(check.reason)
}

/** `broken` is a FAIL if the profile requires it or the run is strict, a WARN otherwise. */
function verdictOf(finding: Finding | undefined, checkLevel: CheckLevel, strict: boolean) {
  // A reader of the result must not mistake an error of the kit for a fault of the target.
  if (finding === undefined) return 'inconclusive'
  const { kind, level = checkLevel } = finding
  if (kind === 'held') return 'passed'
  if (kind === 'inconclusive') return 'inconclusive'
  // A finding may have a lower level than its check, never a higher one.
  const isDemanded = checkLevel === 'spec' && level === 'spec'
  return isDemanded || strict ? 'failed' : 'warned'
}

interface RunCheckOptions<Context extends CheckBase> extends RunPlanOptions<Context> {
  readonly proven: CheckBase['proven']
  readonly isRepetition?: boolean
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
  exchanges.takeAttachments()
  const evaluated = await evaluateTwice(plan, check, options)
  const { finding, fault, isTimeOver = false, isUnstable = false, attempts } = evaluated
  const left = await settle(plan)
  const described = describeCheck(plan, check, options)
  const verdict = options.signal.aborted ? 'interrupted' : verdictOf(finding, check.level, strict)
  const isInterrupted = verdict === 'interrupted'
  const found = finding?.reason ?? (isInterrupted ? interrupted : kitError)
  const hops = exchanges.take()
  const { leftOut } = exchanges
  const reason = [
    found,
    ...(left === undefined ? [] : [`The clean-up after it failed: ${left}`]),
    ...(leftOut === 0 ? [] : [`${leftOut} exchanges are not in the report.`]),
  ].join(' ')
  const result: ScenarioResult = {
    ...described,
    check: {
      ...described.check,
      // One part of a check may have a lower level than the others.
      level: finding?.level ?? check.level,
      reason: exchanges.mask(reason),
      ...(finding?.fix !== undefined && { fix: finding.fix }),
      ...(finding?.also && {
        also: finding.also.map((each) => describeOther(each, finding, { check, exchanges })),
      }),
      ...(finding?.verdictSource === undefined
        ? {}
        : { verdictSource: exchanges.mask(finding.verdictSource) }),
      ...(isUnstable && { unstable: true }),
    },
    verdict,
    startedAt,
    durationMilliseconds: performance.now() - began,
    ...(verdict === 'failed' || verdict === 'warned' || (!finding && !isInterrupted)
      ? { failure: describeFailure(finding, fault, exchanges.mask) }
      : {}),
    steps: stepsOf(attempts),
    attachments: [...exchanges.takeAttachments()],
    hops: hops.map((hop) => ({ ...hop, to: partOf(plan, hop), step: stepAt(attempts, hop) })),
  }
  return { check, finding, result, isTimeOver, isUnstable }
}

/** A failing case other than the worst one, with its fix if that differs. */
function describeOther(
  other: Finding,
  worst: Finding,
  { check, exchanges: { mask } }: { readonly check: LoadedCheck; readonly exchanges: ExchangeLog },
) {
  const { code: _, message: __, ...values } = describeFailure(other, undefined, mask)
  const { reason, level, fix = check.fix } = other
  return {
    reason: mask(reason),
    ...values,
    ...(level && { level }),
    ...(fix !== (worst.fix ?? check.fix) && { fix }),
  }
}

const interrupted = 'The run was interrupted before the check found anything.'
const kitError = 'Internal error in the conformance kit. This is not a verdict on the target.'

/** Cleans up after a check. Returns why that failed, since the other checks run anyway. */
async function settle({ settle: end }: Pick<OpenPlan, 'settle'>): Promise<string | undefined> {
  try {
    await end?.()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Adapters do not know the kind of system that they drive: the plan names it in the evidence. */
const partOf = (plan: Pick<OpenPlan, 'plan'>, { to }: { readonly to: string }) =>
  to === 'system under test' ? systemOf(plan) : to

const systemOf = ({ plan }: Pick<OpenPlan, 'plan'>) => `${plan} under test`

interface Evaluation {
  readonly finding: Finding | undefined
  readonly fault?: unknown
  readonly isTimeOver?: boolean
  readonly isUnstable?: boolean
}

/** One evaluation of a check, in milliseconds since the start of the process. */
interface Attempt extends Evaluation {
  readonly began: number
  readonly ended: number
}

const attemptTitles = ['First attempt', 'Second attempt, with other values']

/** The attempts of a repeated check as steps; a single one needs no mark in the report. */
const stepsOf = (attempts: readonly Attempt[]): ScenarioResult['steps'] =>
  attempts.length < 2
    ? []
    : attempts.map(({ began, ended, finding }, index) => ({
        title: attemptTitles[index] ?? '',
        beganAt: began - (attempts[0]?.began ?? 0),
        durationMilliseconds: ended - began,
        verdict: finding?.kind === 'held' ? 'passed' : 'failed',
      }))

/** The number of the step in which an exchange began. */
const stepAt = (attempts: readonly Attempt[], { at }: { readonly at: number }): number =>
  attempts.length < 2
    ? 0
    : Math.max(
        attempts.findLastIndex(({ began }) => at - performance.timeOrigin >= began),
        0,
      ) + 1

/** Milliseconds. Asking twice must not turn a long wait into two. */
const longestRepeated = 20_000

/**
 * One answer can be chance: a rejection counts if the system rejects the message again,
 * with other values in it. A failure stays one, but a system that passes at the second attempt is
 * reported as unstable. A person is not asked twice.
 */
async function evaluateTwice<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  options: RunCheckOptions<Context>,
): Promise<Evaluation & { readonly attempts: readonly Attempt[] }> {
  const attempt = async (isRepetition: boolean): Promise<Attempt> => {
    const began = performance.now()
    const evaluated = await evaluateCheck(plan, check, { ...options, isRepetition })
    return { ...evaluated, began, ended: performance.now() }
  }
  const first = await attempt(false)
  const isRefusal = first.finding?.kind === 'held' && check.expectation === 'refuse'
  const isRepeated = isRefusal || first.finding?.kind === 'broken'
  const isSlow = first.ended - first.began > longestRepeated
  if (!isRepeated || isSlow || options.once || plan.isPerson) return { ...first, attempts: [first] }
  await settle(plan)
  const again = await attempt(isRefusal)
  return { ...weighAttempts(first, again), attempts: [first, again] }
}

/** What a rejection or a failure means together with what the same check finds afterwards. */
function weighAttempts(first: Evaluation, again: Evaluation): Evaluation {
  // An error of the kit must be seen, whichever attempt it happens in.
  if (first.finding === undefined || again.finding === undefined) return again
  if (again.finding.kind === first.finding.kind) return first
  const isBroken = first.finding.kind === 'broken'
  if (again.finding.kind === 'inconclusive') return isBroken ? first : again
  const [worse, better] = isBroken ? [first.finding, again.finding] : [again.finding, first.finding]
  const reason = `${sentence(worse.reason)} The target is unstable. It responded differently to the same request with other values: ${better.reason}`
  return { finding: { ...worse, reason }, isUnstable: true }
}

const sentence = (text: string) => text.replace(/[^.]$/, '$&.')

/** What a check finds within its time limit; no finding means an internal error in the kit. */
async function evaluateCheck<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  {
    exchanges,
    proven,
    isRepetition = false,
    timeLimitMilliseconds = 60_000,
    ...options
  }: RunCheckOptions<Context>,
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
      isRepetition,
      now: () => Math.floor(Date.now() / 1000),
      signal,
      httpAs: (part, other = to) =>
        createRecordedHttp({ part, to: other, exchanges, checkId, signal }),
    })
    return { finding: await untilAborted(signal, runWithControl(plan, check, context)) }
  } catch (fault) {
    if (!timeLimit.aborted) return { finding: findingOfError(fault), fault }
    const reason = `No result could be observed within ${limit / 1000} seconds.`
    return { finding: inconclusive(reason), isTimeOver: true }
  }
}

/** Runs a check. If its control fails, the result is inconclusive for the control's reason. */
async function runWithControl<Context extends CheckBase>(
  { controls = {} }: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  context: Context,
): Promise<Finding> {
  const { control: name } = check
  const run = () => check.run(context).catch(requireFinding)
  const first = await run()
  const isConfirmed = first.isOutage && (check.expectation === 'accept' || name !== undefined)
  const finding = isConfirmed ? confirmOutage(await run(), check) : first
  const isProven = context.proven.has(name ?? '') && !finding.isOutage
  if (name === undefined || isProven || !restsOnControl(check, finding)) return finding
  const control = controls[name]
  if (!control) throw new TypeError(`${check.id}: the plan has no control ${name}`)
  const { kind, reason, verdictSource } = await control.run(context).catch(requireFinding)
  if (kind !== 'held') {
    const accepted = finding.also?.filter(({ isAcceptance }) => isAcceptance) ?? []
    if (accepted.length > 0) return worstOf(accepted)
    return inconclusive(reason, { isBlocked: true, ...(verdictSource && { verdictSource }) })
  }
  context.proven.add(name)
  return finding
}

/** The reason of a finding without what a single failure means. */
const withoutDoubt = ({ reason }: Finding) =>
  reason.replace(/, which (?:is not a verdict|does not count as a rejection)(?=\.|:|$)/, '')

/**
 * A system that fails at a valid message twice does not accept it. If it fails at an invalid message
 * twice and serves the control afterwards, it crashes, which is not a rejection.
 */
function confirmOutage(again: Finding, { expectation }: Pick<LoadedCheck, 'expectation'>): Finding {
  if (!again.isOutage) return again
  const { verdictSource, also, actual = 500 } = again
  const isValid = expectation === 'accept'
  const at = isValid
    ? 'It failed twice for a valid message.'
    : 'It failed twice for such a message, but not for a valid one.'
  const fix = `Find the error in the log of the system: ${isValid ? 'a valid message must not cause one' : 'it must reject the message instead'}.`
  return broken(`${sentence(withoutDoubt(again))} ${at}`, {
    ...(verdictSource === undefined ? {} : { verdictSource }),
    ...(also && { also: also.map((each) => ({ ...each, reason: withoutDoubt(each), fix })) }),
    actual,
    fix,
    ...(!isValid && { level: 'practice', expected: 'a rejection', isOutage: true }),
  })
}

/** An acceptance proves itself; a rejection only counts if the system accepts valid messages. */
const restsOnControl = ({ expectation }: LoadedCheck, { kind, isAcceptance }: Finding) =>
  kind === 'held' ? expectation !== 'accept' : kind === 'broken' && !isAcceptance

function notBegun<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  options: RunPlanOptions<Context>,
): CheckRun {
  const result = { ...describeCheck(plan, check, options), verdict: 'not-run' as const, hops: [] }
  return { check, finding: undefined, result }
}

/** The result of a check that did not start because the system does not respond. */
function notTried<Context extends CheckBase>(
  plan: OpenPlan<Context>,
  check: LoadedCheck<Context>,
  options: RunPlanOptions<Context> & { readonly silence: string },
): CheckRun {
  const { silence } = options
  const described = describeCheck(plan, check, options)
  const reason = `The check was not run because the target does not respond. ${silence}`
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
