import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { slowTests } from '../../test/support/slow-tests.ts'
import { findAffectedTests } from './find-affected-tests.ts'

/** With two workers, about 20 s. */
const budgetSeconds = 40

const root = dirname(dirname(import.meta.dirname))
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

/**
 * The tests closest to the changes since a revision, as many as run within half a minute.
 * @param revision anything that git compares with; `HEAD` for uncommitted changes
 */
export function chooseChangedTests(revision: string): {
  readonly files: readonly string[]
  readonly remark: string
} {
  const untracked = git('ls-files', '--others', '--exclude-standard')
  const changed = [...git('diff', '--name-only', revision, '--'), ...untracked]
  const affected = findAffectedTests(root, [...git('ls-files'), ...untracked], changed)
  let left = budgetSeconds
  const files: string[] = []
  for (const { file, distance } of affected) {
    const seconds = slowTests[file] ?? 2
    if (distance > 0 && files.length > 0 && seconds > left) continue
    left -= seconds
    files.push(file)
  }
  const remark =
    affected.length === 0
      ? `No test depends on the ${changed.length} files that differ from ${revision}.`
      : `${affected.length} test files depend on what differs from ${revision}; the nearest ${files.length} run.`
  return { files, remark }
}
