import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Base, Say } from './harness.ts'
import { here, programOf } from './testbed-process.ts'

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
