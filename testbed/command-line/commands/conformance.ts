import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Argument, type Command } from 'commander'
import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { describeReach } from '#conformance/kit/describe-check.ts'
import { createExchangeLog, type ExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import type { OperatorKey } from '#conformance/kit/evidence/operator-key.ts'
import { signResult } from '#conformance/kit/evidence/signed-result.ts'
import { type LoadedCheck, loadChecks, selectChecks } from '#conformance/kit/load-checks.ts'
import { openTargetPlan } from '#conformance/kit/open-target-plan.ts'
import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import { createPlanResults } from '#conformance/kit/plan-results.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import { readExample } from '#conformance/targets/read-target.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import {
  describeQuestion,
  type PersonQuestion,
  type PersonReply,
} from '#scenarios/harness/z-person-question.ts'
import { isBlocked, isKitFault, type Results } from '#scenarios/harness/z-results.ts'
import { createDifference } from '#scenarios/reports/create-difference.ts'
import { openReportFolder, writeReports } from '#scenarios/reports/write-reports.ts'
import { checkTarget, warnAboutTarget } from '../check-target.ts'
import { createInterrupt, exitCodes } from '../exit-codes.ts'
import { readSigningKey } from '../options.ts'
import {
  createProgressOption,
  openProgressIfAsked,
  type ProgressFormat,
  type ProgressStream,
} from '../progress-stream.ts'
import { formatDifference, readResults } from '../read-results.ts'
import { readCommit, readVersion } from '../read-version.ts'
import { createGithubReporter, type GithubReporter } from '../report-to-github.ts'
import { createScenarioDisplay, type ScenarioDisplay } from '../show-scenarios.ts'
import { ask as askAtTerminal, paint, printJson } from '../terminal.ts'

export const summary =
  'check the conformance of a wallet, verifier, issuer, IDP, relying party or registry'

export const examples = [
  ['conformance wallet --target self', "the testbed's own wallet"],
  ['conformance verifier --example', 'a target file to fill in'],
  ["conformance idp '^O0' --target idp.yaml", 'only the checks whose ids begin with O0'],
  ['conformance idp --target idp.yaml --check-target', 'what is wrong with a target file'],
  ['conformance issuer --list', 'the checks for issuers'],
] as const

export function configure(command: Command): void {
  command
    .showHelpAfterError('(--help lists the plans and options)')
    .addArgument(new Argument('<plan>', 'kind of system').choices([...planNames]))
    .argument('[pattern]', 'regular expression on ids and names of checks; default: all')
    .option(
      '--target <file>',
      "YAML file that describes the system, or self: the testbed's own part",
    )
    .option('--strict', 'also fail on warnings and inconclusive checks')
    .option('--report <dir>', 'folder for the reports', 'reports/conformance')
    .option('--compare <results>', 'an earlier run; the reports show the changes since then')
    .option('--sign <key>', 'JWK or PEM file; writes result.jws, a result that you can publish')
    .option('--key-id <id>', 'kid of the signature; default: the did:key of the key')
    .addOption(createProgressOption())
    .option(
      '--check-target',
      'connect to the target and report each problem, without running a check',
    )
    .option('--list', 'list the checks of the plan without running them')
    .option('--example', 'print a template for a target file')
    .action(runConformance)
}

/** Options of `testbed conformance` as given on the command line. */
interface ConformanceOptions {
  /** A file, or `self`. */
  readonly target?: string
  readonly strict?: boolean
  readonly report: string
  readonly compare?: string
  readonly sign?: string
  readonly keyId?: string
  readonly progress: ProgressFormat
  readonly checkTarget?: boolean
  readonly list?: boolean
  readonly example?: boolean
  readonly json?: boolean
}

/**
 * Runs a plan against its target, shows the progress and writes the reports. Sets the exit code: 0
 * if nothing failed, 1 if a check or the kit failed, nothing could be decided, or most checks were
 * blocked, 130 if interrupted.
 * @throws TestbedError `invalid_option`, `invalid_target`, `not_started`
 */
async function runConformance(
  plan: PlanName,
  pattern: string | undefined,
  options: ConformanceOptions,
): Promise<void> {
  const { compare, json = false } = options
  if (options.example) return printExample(plan, json)
  const checks = selectChecks(await loadChecks(plan), pattern)
  if (options.list) return listChecks(checks, json)
  const target = requireTarget(plan, options)
  if (options.checkTarget) return checkTarget(plan, target, { json, signal: createInterrupt() })
  const earlier = compare === undefined ? undefined : await readResults(compare)
  const key = await readSigningKey(options)
  const progress = openProgressIfAsked(options)
  const interrupt = createInterrupt()
  const signal = progress ? AbortSignal.any([interrupt, progress.signal]) : interrupt
  const exchanges = createExchangeLog()
  const prompt = progress ?? createPersonPrompt()
  const say = progress?.say ?? ((text: string) => process.stderr.write(`${text}\n`))
  const stream = json || progress ? process.stderr : process.stdout
  const github = createGithubReporter(process.env, stream)
  const resumeCommands = github.holdCommands()
  const opening = async () => {
    if (target !== 'self') await warnAboutTarget(plan, target, { say, signal })
    const { env: environment } = process
    return openPlan(plan, target, { exchanges, signal, environment, askPerson: prompt.ask, say })
  }
  let open: OpenPlan | undefined
  try {
    open = await opening().catch((error: unknown) => {
      if (!signal.aborted) throw error
      process.exitCode = exitCodes.interrupted
      return undefined
    })
    if (open === undefined) return
    const reach = describeReach(open, checks)
    if (reach !== undefined) say(reach)
    await openReportFolder(options.report)
    const running = {
      checks,
      exchanges,
      signal,
      pattern,
      events: progress,
      stream,
      github,
      resumeCommands,
    }
    await runPlanAndReport(open, { ...options, ...running, target, earlier, key })
  } finally {
    resumeCommands()
    prompt.close()
    await open?.close()
  }
}

async function openPlan(plan: PlanName, target: string, options: OpenPlanOptions) {
  if (target !== 'self') return openTargetPlan(plan, target, options)
  const { openSelfPlan } = await import('#testbed/conformance/open-self-plan.ts')
  return openSelfPlan(plan, options, { isSeparate: true })
}

interface ExecuteOptions extends ConformanceOptions {
  readonly target: string
  readonly checks: readonly LoadedCheck[]
  readonly exchanges: ExchangeLog
  readonly signal: AbortSignal
  readonly display: ScenarioDisplay
  readonly pattern: string | undefined
}

interface WriteOptions {
  readonly report: string
  readonly earlier: Results | undefined
  readonly key: OperatorKey | undefined
}

interface ReportOptions extends Omit<ExecuteOptions, 'display'>, WriteOptions {
  /** Where the progress is shown. */
  readonly stream: NodeJS.WriteStream
  readonly events: ProgressStream | undefined
  readonly github: GithubReporter
  /** From `github.holdCommands`; may be called again. */
  readonly resumeCommands: () => void
}

async function runPlanAndReport(open: OpenPlan, options: ReportOptions): Promise<void> {
  const { checks, earlier, json = false, strict = false, stream, github } = options
  const total = checks.length
  const display = options.events?.createDisplay(total) ?? createScenarioDisplay({ stream, total })
  const results = await execute(open, { ...options, display })
  display.finish(results)
  const difference = earlier && createDifference(earlier, results)
  if (difference) stream.write(`\n${formatDifference(difference, stream)}`)
  options.resumeCommands()
  await github.report(results, difference)
  await writeAll(results, options)
  if (json) process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`)
  process.exitCode = exitCodeFor(results, strict)
}

async function execute(open: OpenPlan, options: ExecuteOptions): Promise<Results> {
  const { checks, exchanges, signal, display, pattern, target, strict = false } = options
  const startedAt = new Date()
  const began = performance.now()
  const runs = await runPlan(open, {
    checks,
    exchanges,
    strict,
    signal,
    repeatOptions: ['--target', target, ...(strict ? ['--strict'] : [])],
    onResult: (result) => display.show({ kind: 'ended', result }),
  })
  const described = { plan: open.plan, target: exchanges.mask(open.target) }
  return createPlanResults(described, {
    runs,
    startedAt,
    durationMilliseconds: performance.now() - began,
    interrupted: signal.aborted,
    strict,
    kitVersion: readVersion(),
    commit: readCommit(),
    pattern,
  })
}

/** Writes the reports and, with a key, the signed result. Prints where they are. */
async function writeAll(results: Results, { report, earlier, key }: WriteOptions): Promise<void> {
  const folder = resolve(report)
  const paths = await writeReports(folder, results, { earlier, workingFolder: process.cwd() })
  const now = Math.floor(Date.now() / 1000)
  const signed = await writeSignedResult(folder, { key, now })
  const page = paths.find((path) => path.endsWith('.html'))
  if (page !== undefined) process.stderr.write(`Report: ${pathToFileURL(page)}\n`)
  if (signed !== undefined) process.stderr.write(`Signed: ${signed}\n`)
}

/**
 * The exit code of a plan. An interrupted run (an internal error, or a target that stopped
 * answering) has failed regardless of the checks that passed, because CI looks only at the exit
 * code.
 */
export function exitCodeFor(results: Results, strict: boolean): number {
  const { interrupted, scenarios } = results
  if (interrupted) return exitCodes.interrupted
  const isCutShort = scenarios.some(({ failure }) => failure?.code === 'target_silent')
  if (isCutShort || scenarios.some(isKitFault) || isBlocked(results)) return exitCodes.failed
  const count = (wanted: string) => scenarios.filter(({ verdict }) => verdict === wanted).length
  if (count('failed') > 0 || (strict && count('inconclusive') > 0)) return exitCodes.failed
  // A target that cannot be observed has not passed.
  return count('inconclusive') === scenarios.length ? exitCodes.failed : exitCodes.passed
}

async function printExample(plan: PlanName, json: boolean): Promise<void> {
  const stored = await readExample(plan)
  const example = stored.replaceAll(/\btestbed (?=conformance|wallet)/g, `${programCommand} `)
  if (json) printJson({ example })
  else process.stdout.write(example)
}

/** Prints what a plan checks, one check per line: id, expected behaviour, level, title. */
function listChecks(checks: readonly LoadedCheck[], json: boolean): void {
  if (json) {
    // A control supports the verdicts of a plan and is not itself a check.
    const shown = checks.map((check) => ({ ...check, control: undefined }))
    process.stdout.write(`${JSON.stringify(shown, undefined, 2)}\n`)
    return
  }
  for (const { id, expectation, level, title } of checks) {
    const line = `${id.padEnd(4)} ${signs[expectation]} ${paint('dim', level.padEnd(8))} ${title}`
    process.stdout.write(`${line}\n`)
  }
  process.stderr.write(`${checks.length} checks: + must accept, - must reject, ~ should\n`)
}

const signs = { accept: '+', refuse: '-', advice: '~' } as const

/** Asks the person at the terminal yes-or-no questions, one at a time. */
export interface PersonPrompt {
  /**
   * Undefined if the person is absent or does not know, or if another question replaced this one or
   * the signal has withdrawn it.
   */
  ask(question: PersonQuestion, signal: AbortSignal): Promise<PersonReply | undefined>
  /** Withdraws the pending question. */
  close(): void
}

/** A question that was answered elsewhere or too late is replaced by the next one. */
export function createPersonPrompt(ask = askAtTerminal): PersonPrompt {
  let current = new AbortController()
  return {
    async ask(question, signal) {
      current.abort()
      current = new AbortController()
      const words = `${describeQuestion(question)} [y: yes, n: no, Enter: do not know] `
      const ends = AbortSignal.any([current.signal, signal])
      // Ctrl-D leaves the question unanswered, like Enter.
      const answer = (await ask(words, ends).catch(() => undefined)) ?? ''
      if (/^y(es)?$/i.test(answer)) return { did: 'accepted', note: '' }
      return /^no?$/i.test(answer) ? { did: 'refused', note: '' } : undefined
    },
    close: () => current.abort(),
  }
}

/**
 * The target that was named. There is no default, so that the result of the testbed's own part is
 * never mistaken for that of another system.
 * @throws TestbedError `invalid_option`
 */
function requireTarget(plan: PlanName, { target }: { readonly target?: string }): string {
  if (target !== undefined) return target
  throw wrongUsage(`No target is specified. Use --target FILE.`, [
    `${programCommand} conformance ${plan} --example > target.yaml writes a template.`,
    "--target self tests the testbed's own part.",
  ])
}

/**
 * Signs the `results.json` of a report folder into `result.jws` in the same folder, and returns its
 * path. Without a key it deletes a `result.jws` from an earlier run, which belongs to other
 * results.
 */
async function writeSignedResult(
  folder: string,
  { key, now }: { readonly key: OperatorKey | undefined; readonly now: number },
): Promise<string | undefined> {
  const path = join(folder, 'result.jws')
  await rm(path, { force: true })
  if (key === undefined) return undefined
  const resultsJson = await readFile(join(folder, 'results.json'))
  await writeFile(path, `${signResult({ resultsJson, key, now })}\n`)
  return path
}
