import { createHash } from 'node:crypto'
import type { Browser } from 'puppeteer-core'
import { suites } from '#core/crypto/suites.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createBrowserPages } from './browser-pages.ts'
import { createCommand } from './command-line.ts'
import { type ControlClient, createControlClient } from './control-client.ts'
import type { Scenario, ScenarioContext } from './define-scenario.ts'
import { type HopCollector, tagOf } from './hops.ts'
import { createHttpClient } from './http-client.ts'
import { createMailbox } from './mailbox.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import type { ScenarioRun } from './select-scenarios.ts'
import { untilAborted } from './waiting.ts'
import type { Failure, ScenarioResult, Verdict } from './z-results.ts'
import type { Capability, TestbedFile } from './z-testbed-file.ts'

export interface RunScenarioOptions {
  readonly testbed: TestbedFile
  /** Name in `testbed.environments`. */
  readonly environment: string
  readonly timeLimitMilliseconds: number
  /** Seed of names and keys. */
  readonly seed: string
  /** What `testbed run` needs in addition to the scenario's name to repeat it: `--seed`, `abc`. */
  readonly repeatOptions: readonly string[]
  readonly signal: AbortSignal
  readonly browser: () => Promise<Browser>
  readonly hops: HopCollector
  readonly onStep: (title: string) => void
}

/** A scenario's result without the hops, which are still arriving. */
export interface ScenarioOutcome {
  readonly runId: string
  readonly result: Omit<ScenarioResult, 'hops'>
}

const realTime = () => new Date(performance.timeOrigin + performance.now()).toISOString()

/** The result of a scenario that has not started. */
export function notRun(
  { id, algorithm, scenario }: ScenarioRun,
  repeatOptions: readonly string[],
): Omit<ScenarioResult, 'hops'> {
  const [suite = '', name = ''] = scenario.id.split('/')
  const { title, category, description, references, file } = scenario
  return {
    id,
    suite,
    name,
    algorithm,
    title,
    category,
    description,
    references: [...references],
    ...(file === undefined ? {} : { file }),
    verdict: 'not-run',
    durationMilliseconds: 0,
    steps: [],
    attachments: [],
    repeat: createCommand('run', `^${id}$`, ...repeatOptions),
  }
}

function describeFailure(error: unknown, step: string | undefined): Failure {
  const named = step === undefined ? {} : { step }
  if (!(error instanceof Error)) return { code: 'thrown', message: String(error), ...named }
  const { message, stack } = error
  const details = { message, ...named, ...(stack === undefined ? {} : { stack }) }
  if (!isTestbedError(error)) return { code: error.name, ...details }
  const { expected, actual } = error.extra
  // Reports show only the message.
  const text = [message, ...error.hints].join(' ')
  return { code: error.code, ...details, message: text, expected, actual }
}

interface RunState {
  readonly runId: string
  readonly names: SeededNames
  readonly recorder: Recorder
  readonly signal: AbortSignal
}

function createContext(
  run: ScenarioRun,
  { runId, names, recorder, signal }: RunState,
  { testbed, environment, browser }: RunScenarioOptions,
): ScenarioContext {
  const addresses = testbed.environments[environment]
  if (addresses === undefined) throw new TypeError(`The environment ${environment} does not exist.`)
  const scenarioId = () => tagOf(runId, recorder.currentStep)
  const httpAs = (caller: string) => createHttpClient({ caller, scenarioId, signal })
  const control = requireNeeds(
    run.scenario,
    createControlClient({ ...testbed.control, environment, scenarioId, signal }),
  )
  const context: ScenarioContext = {
    uniqueName: names.uniqueName,
    seededBytes: names.nextBytes,
    algorithm: run.algorithm,
    environment: addresses,
    signal,
    now: control.now,
    httpAs,
    createWallet: ({ didMethod = 'key', faults = [] } = {}) =>
      createWallet({
        account: createAccount({
          curve: suites[run.algorithm].crv,
          didMethod,
          seed: names.nextWalletSeed(),
        }),
        http: { fetch: httpAs('wallet').fetch, allowPrivateAddresses: true, signal },
        now: control.now,
        faults,
      }),
    control,
    mailbox: createMailbox(httpAs('mailbox'), testbed.mail.apiUrl, signal),
    browser: createBrowserPages(run.scenario.usesBrowser ? browser : noBrowser, scenarioId),
    step: (title, work) => recorder.step(title, () => work(context)),
    attach: recorder.attach,
  }
  return context
}

/**
 * An undeclared need would make the scenario fail, instead of being skipped, on a testbed without
 * it.
 */
function requireNeeds({ needs = [] }: Scenario, control: ControlClient): ControlClient {
  const guard = <Call>(need: Capability, call: Call): Call => {
    if (needs.includes(need)) return call
    const refuse = async () => {
      throw new TypeError(`A scenario that uses this must declare needs: ['${need}'].`)
    }
    return refuse as Call
  }
  return {
    ...control,
    advanceClock: guard('clock', control.advanceClock),
    setMining: guard('mining', control.setMining),
    mineBlock: guard('mining', control.mineBlock),
    createSnapshot: guard('snapshots', control.createSnapshot),
    restoreSnapshot: guard('snapshots', control.restoreSnapshot),
  }
}

const noBrowser = async () => {
  throw new TypeError('A scenario that opens pages must set usesBrowser.')
}

/** The reader of a failure needs to see the last page of the browser. */
async function attachPages({ browser, attach }: ScenarioContext): Promise<void> {
  for (const image of await browser.takeScreenshots()) {
    attach('Page at the time of the failure', image, 'image/webp')
  }
}

/**
 * Runs one scenario with one algorithm and returns its result; never rejects because of what
 * happens in the scenario. A scenario that is interrupted or past its limit is aborted immediately.
 */
export async function runScenario(
  run: ScenarioRun,
  options: RunScenarioOptions,
): Promise<ScenarioOutcome> {
  const names = createSeededNames(options.seed, run.id)
  const runId = `${run.id}@${names.uniqueName}`
  const recorder = createRecorder(options.onStep)
  const limit = run.scenario.timeLimitMilliseconds ?? options.timeLimitMilliseconds
  const timeLimit = new AbortController()
  const timer = setTimeout(() => timeLimit.abort(new Error(`not done within ${limit} ms`)), limit)
  const signal = AbortSignal.any([options.signal, timeLimit.signal])
  const began = performance.now()
  const startedAt = realTime()
  const context = createContext(run, { runId, names, recorder, signal }, options)

  let verdict: Verdict = 'passed'
  let failure: Failure | undefined
  try {
    await context.control.readClock()
    await untilAborted(signal, run.scenario.run(context))
  } catch (error) {
    verdict = options.signal.aborted ? 'interrupted' : 'failed'
    failure = describeFailure(error, recorder.currentTitle)
    if (timeLimit.signal.aborted) failure.code = 'time_limit'
    if (options.signal.aborted) failure.code = 'interrupted'
    else await attachPages(context)
  } finally {
    clearTimeout(timer)
    recorder.close()
  }
  const durationMilliseconds = performance.now() - began
  await context.browser.close()
  await options.hops.collect().catch(() => {})
  return {
    runId,
    result: {
      ...notRun(run, options.repeatOptions),
      verdict,
      startedAt,
      durationMilliseconds,
      steps: [...recorder.steps],
      attachments: [...recorder.attachments],
      ...(failure === undefined ? {} : { failure }),
    },
  }
}

/** The identity of a scenario, and the source of its wallets' keys. */
interface SeededNames {
  /** 10 hex digits, usable in names. */
  readonly uniqueName: string
  /** Seed of the scenario's next wallet, different with each call. */
  nextWalletSeed(): string
  /** Bytes of this length, different with each call, for a nonce, an id or a further key. */
  nextBytes(length: number): Uint8Array
}

/**
 * Names and keys of one scenario's run. The same seed gives the same ones, independent of other
 * scenarios and of their order.
 */
export function createSeededNames(seed: string, runId: string): SeededNames {
  let wallets = 0
  let calls = 0
  return {
    uniqueName: createHash('sha256').update(`${seed}\n${runId}`).digest('hex').slice(0, 10),
    nextWalletSeed() {
      wallets += 1
      return `${seed}\n${runId}\n${wallets}`
    },
    nextBytes(length) {
      calls += 1
      const hash = createHash('shake256', { outputLength: length })
      return new Uint8Array(hash.update(`${seed}\n${runId}\nbytes ${calls}`).digest())
    },
  }
}
