import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { collectSolidityAnnotations, collectTypeScriptAnnotations } from './coverage/annotations.ts'
import { createCoverageDocument, findCoverageGaps, parseExemptions } from './coverage/coverage.ts'
import { readProfile } from './profile/read-profile.ts'

/**
 * Parts (`2`) and sections (`1.endpoints/issuer`) of the profile in which every statement has code
 * and a test: the check fails if one of them loses either.
 */
const completeParts: readonly string[] = ['1', '2']

const root = dirname(import.meta.dirname)
const documentFile = 'docs/coverage.md'
const folders = ['core', 'services', 'contracts', 'wallet-emulator', 'testbed', 'scenarios', 'test']
const isWriting = process.argv.includes('--write')
const advice = 'run node scripts/check-coverage.ts --write'

const pathOf = (file: string) => join(root, file)
const read = (file: string) => (existsSync(pathOf(file)) ? readFileSync(pathOf(file), 'utf8') : '')

/** Writes the file, or reports that it is out of date. */
function keep(file: string, content: string): readonly string[] {
  if (read(file) === content) return []
  if (!isWriting) return [`${file} is out of date: ${advice}`]
  writeFileSync(pathOf(file), content)
  console.log(`${file} written.`)
  return []
}

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
  ...keep(documentFile, createCoverageDocument(coverage)),
]
for (const problem of problems) console.log(problem)
if (problems.length === 0)
  console.log('docs/coverage.md is up to date: code and tests cover the statements of the profile.')
process.exitCode = problems.length === 0 ? 0 : 1
