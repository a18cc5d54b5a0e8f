import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type Environment,
  type TestbedFile,
  zTestbedFile,
} from '#scenarios/harness/z-testbed-file.ts'
import { type Counts, probeOptions, readCounts } from './costs/counts.ts'
import type { Base, Say } from './harness.ts'

/** The folder of this repository. */
export const here = resolve(import.meta.dirname, '..')

export const programOf = (root: string): string => join(root, 'bin/testbed')

export interface TestbedProcess {
  readonly environment: Environment
  readonly control: TestbedFile['control']
  /** The API of the mail server. */
  readonly mailUrl: string
  readonly pid: number
  /** Milliseconds from the start of the process until it reported that everything is healthy. */
  readonly startMilliseconds: number
  /** What it did so far, without the chain. Only with the probe. */
  readCounts(): Promise<Counts>
  /** Ends it and waits until it has ended; keeps the data folder. */
  stop(): Promise<void>
}

interface StartOptions {
  /** The folder of another revision. Default: this one. */
  readonly root?: string
  /** Counts what the process does. Default: false. */
  readonly probe?: boolean
}

/** `testbed up` on a data folder, as a separate process on free ports. */
export async function startTestbedProcess(
  folder: string,
  { root = here, probe = false }: StartOptions = {},
): Promise<TestbedProcess> {
  const began = performance.now()
  const up = ['up', '--port-base', '0', '--data', folder, '--seed', 'bench']
  const child = spawn(process.execPath, [...(probe ? probeOptions : []), programOf(root), ...up], {
    stdio: ['ignore', 'ignore', 'pipe', ...(probe ? ['ipc' as const] : [])],
  })
  const ended = once(child, 'exit')
  let said = ''
  await new Promise<void>((healthy, fail) => {
    child.stderr?.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ctrl-C stops everything')) healthy()
    })
    ended.then(() => fail(new Error(`The testbed ended:\n${said}`)), fail)
  })
  const startMilliseconds = performance.now() - began
  const json = JSON.parse(await readFile(join(folder, 'testbed.json'), 'utf8'))
  const { environments, control, mail } = zTestbedFile.parse(json)
  const { pre: environment } = environments
  if (environment === undefined) throw new Error('no environment pre')
  return {
    environment,
    control,
    mailUrl: mail.apiUrl,
    pid: child.pid ?? 0,
    startMilliseconds,
    readCounts: () => readCounts(child),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A folder that is removed after the work, even if it fails. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'testbed-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A testbed on a fresh data folder, for the time of the work. */
export const withTestbed = <T>(
  options: StartOptions,
  work: (testbed: TestbedProcess) => Promise<T>,
): Promise<T> =>
  withTemporaryFolder(async (folder) => {
    const testbed = await startTestbedProcess(folder, options)
    try {
      return await work(testbed)
    } finally {
      await testbed.stop()
    }
  })

/** A testbed of this revision and, if there is a base, one of it. */
export const withTestbeds = <T>(
  base: Base | undefined,
  work: (ours: TestbedProcess, other?: TestbedProcess & Base) => Promise<T>,
): Promise<T> =>
  withTestbed({}, (ours) =>
    base === undefined
      ? work(ours)
      : withTestbed({ root: base.root }, (other) => work(ours, { ...other, ...base })),
  )

const git = (root: string, ...parameters: readonly string[]): string =>
  execFileSync('git', ['-C', root, ...parameters], { encoding: 'utf8' }).trim()

const shortRevisionOf = (root: string): string => git(root, 'rev-parse', '--short=8', 'HEAD')

/** This revision, with a `+` if files have changed since, except the page that `--write` changes. */
export function describeRevision(): string {
  const changed =
    git(here, 'status', '--porcelain', '--untracked-files=no', ':!docs/benchmarks.md') !== ''
  return `${shortRevisionOf(here)}${changed ? '+' : ''}`
}

/**
 * Another revision with its packages, in a temporary folder that the next run uses again.
 * @param name a revision of this repository, or the folder of a checkout
 * @throws Error for an unknown revision, or if its packages cannot be installed
 */
export function provideBase(name: string, say: Say): Base {
  if (existsSync(name) && statSync(name).isDirectory()) {
    const root = resolve(name)
    return { revision: shortRevisionOf(root), root }
  }
  const commit = git(here, 'rev-parse', '--verify', '--end-of-options', `${name}^{commit}`)
  const root = join(tmpdir(), 'lear-testbed-bench', commit)
  if (!existsSync(root)) {
    say(`checking out ${name} in ${root}`)
    // The folder of an earlier checkout may be gone.
    git(here, 'worktree', 'prune')
    git(here, 'worktree', 'add', '--detach', root, commit)
  }
  say(`preparing ${name}: the first time, npm installs its packages`)
  // Its own bootstrap installs what its lock file says, once.
  const { status } = spawnSync(process.execPath, [programOf(root), '--version'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${programOf(root)} --version ended with ${status}`)
  return { revision: shortRevisionOf(root), root }
}
