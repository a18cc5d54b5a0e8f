import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { collectSolidityAnnotations } from './coverage/collect-solidity-annotations.ts'
import { collectTypeScriptAnnotations } from './coverage/collect-typescript-annotations.ts'
import { createCoverageDocument } from './coverage/create-coverage-document.ts'
import { findCoverageGaps } from './coverage/find-coverage-gaps.ts'
import { parseRows } from './coverage/rows.ts'

/**
 * Documents (`2`) and sections (`1.endpoints/issuer`) whose rows all have code and test: a row of
 * these that loses either fails the check. The others are shown as they are.
 */
const completeParts: readonly string[] = ['1', '2']

const root = dirname(import.meta.dirname)
const rowsFile = 'docs/coverage/rows.tsv'
const documentFile = 'docs/coverage.md'
const folders = ['core', 'services', 'contracts', 'wallet-emulator', 'testbed', 'scenarios', 'test']
const isWriting = process.argv.includes('--write')
const advice = 'run node scripts/check-coverage.ts --write'

const pathOf = (file: string) => join(root, file)
const read = (file: string) => (existsSync(pathOf(file)) ? readFileSync(pathOf(file), 'utf8') : '')

/** The rows as the documents have them now, where the documents lie beside the repository. */
function readDocuments(): string | undefined {
  const tool = pathOf('../shared/tools/spec-rows.mjs')
  return existsSync(tool)
    ? spawnSync(process.execPath, [tool], { encoding: 'utf8' }).stdout
    : undefined
}

/** Writes the file, or says that it is out of date. */
function keep(file: string, content: string): readonly string[] {
  if (read(file) === content) return []
  if (!isWriting) return [`${file} is out of date: ${advice}`]
  writeFileSync(pathOf(file), content)
  console.log(`${file} written.`)
  return []
}

const documents = readDocuments()
const rowsDrift = documents === undefined ? [] : keep(rowsFile, documents)
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
  rows: parseRows(read(rowsFile)),
  exempt: parseRows(read('docs/coverage/no-rule.tsv')),
  annotations: collected.flatMap(({ annotations }) => annotations),
  completeParts,
}
const problems = [
  ...rowsDrift,
  ...collected.flatMap((each) => each.problems),
  ...findCoverageGaps(coverage),
  ...keep(documentFile, createCoverageDocument(coverage)),
]
for (const problem of problems) console.log(problem)
if (problems.length === 0) console.log('The rows of the documents are covered as the table says.')
process.exitCode = problems.length === 0 ? 0 : 1
