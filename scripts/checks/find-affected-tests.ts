import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { slowTests } from '../../test/support/slow-tests.ts'
import { resolveImport } from './architecture-rules.ts'

/** With two workers, about 20 s. */
const budgetSeconds = 40

/**
 * The tests closest to the changes since a revision, as many as run within half a minute.
 * @param revision anything that git compares with; `HEAD` for uncommitted changes
 */
export function chooseChangedTests(revision: string): {
  readonly files: readonly string[]
  readonly remark: string
} {
  const root = dirname(dirname(import.meta.dirname))
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
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

export interface AffectedTest {
  readonly file: string
  /**
   * Steps from the nearest changed file (0 for a changed test), minus the number of folders that
   * both paths share.
   */
  readonly distance: number
}

/** A quoted text that looks like a path: of an import, a program to start, or a folder to list. */
const quotedPath =
  /(['"`])([A-Za-z]+\.(?:md|json|ya?ml)|(?:[#.\w@-]|\$\{[^}]*\})+(?:\/(?:[\w.@*-]|\$\{[^}]*\})+)+)\1/g

/** Imports of types do not affect a test. */
const typeImport = /^(?:import|export) type [^'"]*from '[^']*'/gm

/**
 * Tests that a change may affect, the nearest first. Follows imports, and every other path that a
 * module contains: a test reaches a program that it starts as a process in this way, and a loader
 * the files of its folder.
 * @param files every file of the repository, relative to `root`
 */
export function findAffectedTests(
  root: string,
  files: readonly string[],
  changed: readonly string[],
): AffectedTest[] {
  const filesAt = createPathReader(files)
  const users = new Map<string, Set<string>>()
  for (const file of files) {
    if (!/\.(?:[mc]?[jt]s)$|^bin\//.test(file) || !existsSync(join(root, file))) continue
    const text = readFileSync(join(root, file), 'utf8').replaceAll(typeImport, '')
    for (const named of quotedPaths(file, text).flatMap(filesAt)) {
      const found = users.get(named) ?? new Set()
      users.set(named, found.add(file))
    }
  }
  const distances = new Map(changed.map((file) => [file, 0]))
  for (const [file, distance] of distances) {
    for (const user of users.get(file) ?? []) {
      if (!distances.has(user)) distances.set(user, distance + 1)
    }
  }
  const inCommon = (test: string) =>
    Math.max(...changed.map((file) => countSharedFolders(test.replace(/^test\//, ''), file)))
  return [...distances]
    .filter(([file]) => isDefaultTest(file) && existsSync(join(root, file)))
    .map(([file, distance]) => ({
      file,
      distance: distance === 0 ? 0 : Math.max(1, distance - inCommon(file)),
    }))
    .sort((one, other) => one.distance - other.distance)
}

const isDefaultTest = (file: string) => /^test\/.*(?<!\.full)\.test\.ts$/.test(file)

function countSharedFolders(one: string, other: string): number {
  const folders = other.split('/').slice(0, -1)
  return one.split('/').findIndex((name, index) => name !== folders[index])
}

/** The paths that a module contains, relative to the root; a path may have two meanings. */
function quotedPaths(file: string, text: string): string[] {
  return [...text.matchAll(quotedPath)].flatMap(([, , path = '']) => {
    const imported = resolveImport(file, path) ?? posix.join(posix.dirname(file), path)
    return [imported, posix.normalize(path)]
  })
}

/** The target of a quoted path: a file, the files of a folder, or those that match a pattern. */
function createPathReader(files: readonly string[]): (path: string) => readonly string[] {
  const known = new Set(files)
  const answers = new Map<string, readonly string[]>()
  const find = (path: string) => {
    if (known.has(path)) return [path]
    if (!path.includes('/') || /^\.\.|^[*$]/.test(path)) return []
    const pattern = path.replaceAll(/[.+]/g, '\\$&').replaceAll(/\*\*?|\$\{[^}]*\}/g, '[^/]+')
    const expression = new RegExp(pattern === path ? `^${path}/` : `^${pattern}(?:$|/)`)
    return files.filter((file) => expression.test(file))
  }
  return (path) => {
    const answer = answers.get(path) ?? find(path)
    answers.set(path, answer)
    return answer
  }
}
