import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { PlanName } from '#conformance/kit/check.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { PersonReply } from '#scenarios/harness/z-person-question.ts'
import { type RunEvent, zRunEvent } from '#scenarios/harness/z-run-event.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { createRunArchive, type RunArchive, type RunRecord } from './run-archive.ts'

/** The program behind `bin/testbed`, as TypeScript or compiled. */
const program = resolve(
  import.meta.dirname,
  `../../command-line/main${extname(import.meta.filename)}`,
)

/** What to run. */
export type RunRequest =
  | {
      readonly kind: 'conformance'
      readonly plan: PlanName
      /** Name of the system under test, for lists. */
      readonly subject: string
      /** Path of the target file, or `self`. */
      readonly target: string
      readonly strict?: boolean | undefined
      /** Ids of the checks; by default all. */
      readonly pattern?: string | undefined
    }
  | {
      readonly kind: 'suites'
      readonly suites: readonly string[]
      /** Run against this testbed, or else against a separate one. */
      readonly isHere: boolean
    }

/** An event of a run with its number, from 1. */
export interface NumberedEvent {
  readonly number: number
  readonly event: RunEvent
}

/**
 * Runs conformance plans and suites, one at a time, each in a separate process, which ends with
 * this one.
 */
export interface Runs {
  readonly archive: RunArchive
  /** The run in progress. */
  current(): RunRecord | undefined
  /** Newest first, with the one in progress. */
  list(): Promise<readonly RunRecord[]>
  /** @throws TestbedError `unknown_run` (404) */
  find(id: string): Promise<RunRecord>
  /** @throws TestbedError `run_in_progress` (409) */
  start(request: RunRequest): Promise<RunRecord>
  /**
   * Deletes a run with its reports.
   * @throws TestbedError `unknown_run` (404), `run_in_progress` (409)
   */
  remove(id: string): Promise<void>
  /** Ends the run in progress; its report shows the results until then. */
  stop(id: string): void
  /** Answers a question of the run in progress. */
  answer(id: string, question: number, reply: PersonReply): void
  /** The events of a run of this process that were kept; empty for an earlier one. */
  eventsOf(id: string): readonly NumberedEvent[]
  /** Calls the listener with each event, and with undefined at the end. */
  follow(id: string, listener: (event: NumberedEvent | undefined) => void): () => void
  close(): Promise<void>
}

export interface RunsOptions {
  /** The folder with the state of the testbed; undefined if it is in memory. */
  readonly stateFolder: string | undefined
  /** The description of this testbed, for runs against it. */
  readonly testbedFile: () => TestbedFile
}

const stopLimit = 20_000
const closeLimit = 3000
const mostOutput = 4000
const emptyTally = { passed: 0, failed: 0, warned: 0, inconclusive: 0, skipped: 0 }

interface ActiveRun {
  record: RunRecord
  readonly child: ChildProcess
  readonly events: NumberedEvent[]
  readonly listeners: Set<(event: NumberedEvent | undefined) => void>
  readonly ended: Promise<void>
  isStopped: boolean
}

function createId(): string {
  const digits = new Date().toISOString().replace(/\D/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomBytes(3).toString('hex')}`
}

const conflict = (code: string, message: string) => new TestbedError({ code, status: 409, message })

const argumentsOf = (request: RunRequest, folder: string, testbedPath: string): string[] => {
  const common = ['--report', folder, '--progress', 'json']
  if (request.kind === 'conformance') {
    const { plan, target, strict = false, pattern } = request
    const selected = pattern === undefined ? [] : [pattern]
    const how = ['--target', target, ...(strict ? ['--strict'] : [])]
    return ['conformance', plan, ...selected, ...how, ...common]
  }
  const pattern = `^(${request.suites.join('|')})/`
  return ['run', pattern, ...(request.isHere ? ['--testbed', testbedPath] : []), ...common]
}

const describeRequest = (request: RunRequest): Pick<RunRecord, 'kind' | 'plan' | 'subject'> =>
  request.kind === 'conformance'
    ? { kind: request.kind, plan: request.plan, subject: request.subject }
    : { kind: request.kind, subject: request.suites.join(', ') }

/** Of the command of a run that failed. */
const failedExitCode = 1

/** The record after an event. */
function countEvent(record: RunRecord, event: RunEvent): RunRecord {
  if (event.kind === 'total') return { ...record, total: event.total }
  if (event.kind !== 'ended') return record
  const { verdict } = event
  const name = verdict === 'interrupted' || verdict === 'not-run' ? 'skipped' : verdict
  return { ...record, tally: { ...record.tally, [name]: record.tally[name] + 1 } }
}

function parseEvent(line: string): RunEvent | undefined {
  try {
    return zRunEvent.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Asks a run to end, and kills it if it takes longer than the limit (milliseconds). */
async function end(run: ActiveRun, limit: number): Promise<void> {
  run.isStopped = true
  run.child.stdin?.end()
  const force = setTimeout(() => run.child.kill('SIGKILL'), limit)
  await run.ended
  clearTimeout(force)
}

interface StartOptions extends Pick<RunsOptions, 'testbedFile'> {
  readonly archive: RunArchive
  readonly onEnd: (run: ActiveRun) => void
}

/** Starts the process of a run. */
async function startRun(
  request: RunRequest,
  { archive, testbedFile, onEnd }: StartOptions,
): Promise<ActiveRun> {
  const record: RunRecord = {
    id: createId(),
    ...describeRequest(request),
    startedAt: new Date().toISOString(),
    state: 'running',
    tally: emptyTally,
  }
  const folder = await archive.folderOf(record.id)
  await archive.save(record)
  const testbedPath = join(folder, 'testbed.json')
  const isHere = request.kind === 'suites' && request.isHere
  // It contains the control token.
  if (isHere) await writeFile(testbedPath, JSON.stringify(testbedFile()), { mode: 0o600 })
  const child = spawn(process.execPath, [program, ...argumentsOf(request, folder, testbedPath)], {
    cwd: folder,
    // Ctrl-C reaches the whole process group of the terminal; the console ends the run itself.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const completion = Promise.withResolvers<void>()
  const run: ActiveRun = {
    record,
    child,
    events: [],
    listeners: new Set(),
    ended: completion.promise,
    isStopped: false,
  }
  const settle = async (problem: string, exitCode?: ExitCode) => {
    if (isHere) await rm(testbedPath, { force: true })
    const hasReport = (await archive.readReport(record.id)) !== undefined
    const state = endStateOf(run, { hasReport, exitCode })
    run.record = { ...run.record, state, ...(state === 'failed' && { problem }) }
    await archive.save(run.record)
    await archive.prune()
    onEnd(run)
    for (const listener of run.listeners) listener(undefined)
    completion.resolve()
  }
  const readOutput = keepOutput(child)
  followEvents(run)
  child.once('error', ({ message }) => void settle(message))
  child.once('close', (exitCode) => void settle(readOutput().trim(), exitCode))
  return run
}

/** Undefined if the process did not start, null if a signal ended it. */
type ExitCode = number | null | undefined

function endStateOf(
  { isStopped, record }: ActiveRun,
  { hasReport, exitCode }: { readonly hasReport: boolean; readonly exitCode: ExitCode },
): RunRecord['state'] {
  if (isStopped) return 'stopped'
  if (!hasReport) return 'failed'
  return exitCode === failedExitCode && record.tally.failed === 0 ? 'undecided' : 'ended'
}

/** Keeps the end of what a process writes to stderr. */
function keepOutput({ stderr }: ChildProcess): () => string {
  let output = ''
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-mostOutput)
  })
  return () => output
}

/** Passes the events of a run to its listeners. */
function followEvents(run: ActiveRun): void {
  const { child } = run
  // A child that has gone cannot read an answer.
  child.stdin?.on('error', () => {})
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
    const event = parseEvent(line)
    if (event === undefined) return
    run.record = countEvent(run.record, event)
    const numbered = { number: run.events.length + 1, event }
    run.events.push(numbered)
    for (const listener of run.listeners) listener(numbered)
  })
}

export function createRuns({ stateFolder, testbedFile }: RunsOptions): Runs {
  const archive = createRunArchive(stateFolder)
  const finished = new Map<string, readonly NumberedEvent[]>()
  let active: ActiveRun | undefined
  let isStarting = false

  const refuseSecond = () => {
    const message = 'Another run is in progress. Wait for its end or stop it.'
    if (active !== undefined || isStarting) throw conflict('run_in_progress', message)
  }

  const requireActive = (id: string): ActiveRun => {
    if (active?.record.id === id) return active
    throw conflict('run_ended', 'This run has already ended.')
  }

  const keepEvents = (run: ActiveRun) => {
    finished.clear()
    finished.set(run.record.id, run.events)
    if (active === run) active = undefined
  }

  const runs: Runs = {
    archive,
    current: () => active?.record,
    async list() {
      const kept = await archive.list()
      return kept.map((record) => {
        if (record.id === active?.record.id) return active.record
        // Its testbed ended before it did.
        return record.state === 'running' ? { ...record, state: 'stopped' } : record
      })
    },
    async find(id) {
      const found = (await runs.list()).find((record) => record.id === id)
      if (found !== undefined) return found
      const message = 'This run does not exist. The oldest runs are deleted.'
      throw new TestbedError({ code: 'unknown_run', status: 404, message })
    },
    async start(request) {
      refuseSecond()
      isStarting = true
      try {
        active = await startRun(request, { archive, testbedFile, onEnd: keepEvents })
        return active.record
      } finally {
        isStarting = false
      }
    },
    async remove(id) {
      await runs.find(id)
      const message = 'This run is in progress. Stop it, then delete it.'
      if (active?.record.id === id) throw conflict('run_in_progress', message)
      finished.delete(id)
      await archive.remove(id)
    },
    stop(id) {
      void end(requireActive(id), stopLimit)
    },
    answer(id, question, reply) {
      requireActive(id).child.stdin?.write(`${JSON.stringify({ id: question, reply })}\n`)
    },
    eventsOf: (id) => (active?.record.id === id ? active.events : (finished.get(id) ?? [])),
    follow(id, listener) {
      const run = active?.record.id === id ? active : undefined
      if (run === undefined) {
        listener(undefined)
        return () => {}
      }
      run.listeners.add(listener)
      return () => run.listeners.delete(listener)
    },
    async close() {
      if (active !== undefined) await end(active, closeLimit)
      await archive.close()
    },
  }
  return runs
}
