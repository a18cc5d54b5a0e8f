import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { productFolders } from './checks/architecture-rules.ts'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import { collectSolidityAnnotations, collectTypeScriptAnnotations } from './coverage/annotations.ts'
import { createCoverageDocument, findCoverageGaps, parseExemptions } from './coverage/coverage.ts'
import { readProfile } from './profile/read-profile.ts'

/**
 * Parts (`2`) and sections (`1.endpoints/issuer`) of the profile in which every statement has code
 * and a test: the check fails if one of them loses either.
 */
const completeParts: readonly string[] = ['1', '2']

const root = dirname(import.meta.dirname)
const folders = [...productFolders, 'test']
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const collected = globSync(`{${folders.join(',')}}/**/*.{ts,sol}`, { cwd: root })
  .sort()
  .map((file) => ({ file, text: read(file) }))
  .filter(({ text }) => /@(custom:)?row\s/.test(text))
  .map((source) =>
    source.file.endsWith('.sol')
      ? collectSolidityAnnotations(source)
      : collectTypeScriptAnnotations(source),
  )
const coverage = {
  statements: readProfile(root).statements,
  exempt: parseExemptions(read('docs/coverage/no-rule.tsv')),
  annotations: collected.flatMap(({ annotations }) => annotations),
  completeParts,
}
const problems = [
  ...collected.flatMap((each) => each.problems),
  ...findCoverageGaps(coverage),
  ...keepGenerated({ 'docs/coverage.md': createCoverageDocument(coverage) }),
]
reportProblems(
  problems,
  'docs/coverage.md is up to date: code and tests cover the statements of the profile.',
)
