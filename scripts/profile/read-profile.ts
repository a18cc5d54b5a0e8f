import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findProfileGaps, sortStatements } from './find-profile-gaps.ts'
import { parseStatements, type Statement } from './parse-statements.ts'

export interface Profile {
  /** Sorted by id. */
  readonly statements: readonly Statement[]
  readonly problems: readonly string[]
}

/** Reads docs/profile, the source of all statements and their ids. */
export function readProfile(root: string): Profile {
  const pages = globSync('docs/profile/*.md', { cwd: root })
    .sort()
    .map((file) => parseStatements(basename(file, '.md'), readFileSync(join(root, file), 'utf8')))
  const statements = pages.flatMap((page) => page.statements)
  return {
    statements: sortStatements(statements),
    problems: [...pages.flatMap(({ problems }) => problems), ...findProfileGaps(statements)],
  }
}
