// Compiles the contracts and writes the generated files; with --check it only reports what would
// change.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findContractDrift, generateContractFiles } from './contracts/generate-contract-files.ts'

const root = dirname(import.meta.dirname)
if (process.argv.includes('--check')) {
  const drift = findContractDrift(root)
  for (const path of drift)
    console.log(`${path}: out of date; run node scripts/compile-contracts.ts`)
  process.exitCode = drift.length === 0 ? 0 : 1
} else {
  for (const [path, content] of generateContractFiles(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
    console.log(path)
  }
}
