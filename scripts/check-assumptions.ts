import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { productFolders } from './checks/architecture-rules.ts'
import { findUnknownAssumptions } from './checks/document-drift.ts'
import { reportProblems } from './checks/report-problems.ts'

const root = dirname(import.meta.dirname)
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const folders = [...productFolders, 'test']
const sources = globSync(`{${folders.join(',')}}/**/*.{ts,sol}`, { cwd: root })
const unknown = findUnknownAssumptions(
  read('docs/assumptions.md'),
  sources.sort().map((file) => ({ file, text: read(file) })),
)
reportProblems(unknown, 'Every assumption in the code is in the table.')
