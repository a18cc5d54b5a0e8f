// Checks the profile: ids of statements, links, and core/profile/statements.ts, which is generated
// from it. With --write it writes that file.
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findBrokenLinks } from './profile/find-broken-links.ts'
import type { Statement } from './profile/parse-statements.ts'
import { readProfile } from './profile/read-profile.ts'

const root = dirname(import.meta.dirname)
const moduleFile = 'core/profile/statements.ts'
const linkedPages = ['docs/coverage.md', 'docs/reference/conformance-checks.md']

/** Text of a file, empty for a folder; undefined if there is neither. */
function read(file: string): string | undefined {
  const path = join(root, file)
  if (!existsSync(path)) return undefined
  return statSync(path).isFile() ? readFileSync(path, 'utf8') : ''
}

const createModule = (statements: readonly Statement[]) => `\
// Generated from docs/profile by node scripts/check-profile.ts --write; do not edit.

/** Page and text of each statement of the profile, by its id. */
export const statements: ReadonlyMap<string, { readonly page: string; readonly text: string }> =
  new Map([
${statements.map(({ id, page, text }) => `    [${JSON.stringify(id)}, ${JSON.stringify({ page, text })}],`).join('\n')}
  ])
`

const { statements, problems: pageProblems } = readProfile(root)
const pages = globSync('docs/profile/*.md', { cwd: root }).sort()
const problems = [
  ...pageProblems,
  ...[...pages, ...linkedPages].flatMap((file) => findBrokenLinks(file, read)),
]
const content = createModule(statements)
if (read(moduleFile) !== content) {
  if (process.argv.includes('--write')) {
    writeFileSync(join(root, moduleFile), content)
    console.log(`${moduleFile} written.`)
  } else {
    problems.push(`${moduleFile} is out of date: run node scripts/check-profile.ts --write`)
  }
}
for (const problem of problems) console.log(problem)
if (problems.length === 0) {
  console.log(`The profile has ${statements.length} statements; its links work.`)
}
process.exitCode = problems.length === 0 ? 0 : 1
