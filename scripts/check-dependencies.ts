import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findDependencyDrift } from './checks/document-drift.ts'

const root = dirname(import.meta.dirname)
const drift = findDependencyDrift(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  readFileSync(join(root, 'docs/dependencies.md'), 'utf8'),
)
for (const sentence of drift) console.log(sentence)
if (drift.length === 0) console.log('Every dependency has its reason in docs/dependencies.md.')
process.exitCode = drift.length === 0 ? 0 : 1
