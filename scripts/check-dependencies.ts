import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findDependencyDrift } from './checks/document-drift.ts'
import { reportProblems } from './checks/report-problems.ts'

const root = dirname(import.meta.dirname)
const drift = findDependencyDrift(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  readFileSync(join(root, 'docs/dependencies.md'), 'utf8'),
)
reportProblems(drift, 'Every dependency has its reason in docs/dependencies.md.')
