// Checks the ids of the statements in docs/profile, core/profile/statements.ts, which is generated
// from them, and the pages and headings that code cites. With --write it writes that file.

import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { productFolders } from './checks/architecture-rules.ts'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import {
  findUnknownCitations,
  headingsOf,
  readProfile,
  type Statement,
} from './profile/read-profile.ts'

const root = dirname(import.meta.dirname)

const createModule = (statements: readonly Statement[]) => `\
// Generated from docs/profile by node scripts/check-profile.ts --write; do not edit.

/** Page and text of each statement of the profile, by its id. */
export const statements: ReadonlyMap<string, { readonly page: string; readonly text: string }> =
  new Map([
${statements.map(({ id, page, text }) => `    [${JSON.stringify(id)}, ${JSON.stringify({ page, text })}],`).join('\n')}
  ])
`

const { statements, problems: pageProblems } = readProfile(root)
const sources = globSync(`{${productFolders.join(',')}}/**/*.{ts,sol}`, { cwd: root })
const problems = [
  ...pageProblems,
  ...findUnknownCitations(
    new Map(
      globSync('docs/profile/*.md', { cwd: root }).map((file) => [
        basename(file, '.md'),
        headingsOf(readFileSync(join(root, file), 'utf8')),
      ]),
    ),
    sources.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
  ),
  ...keepGenerated({ 'core/profile/statements.ts': createModule(statements) }),
]
reportProblems(problems, `The profile has ${statements.length} statements.`)
