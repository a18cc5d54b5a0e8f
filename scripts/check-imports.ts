import { dirname } from 'node:path'
import { findArchitectureViolations } from './checks/find-architecture-violations.ts'
import { findImportCycles } from './checks/find-import-cycles.ts'

const root = dirname(import.meta.dirname)
const violations = findArchitectureViolations(root)
for (const { file, line, problem, advice } of violations) {
  console.log(`${file}:${line}: ${problem}: ${advice}`)
}
const cycles = findImportCycles(root)
for (const cycle of cycles) console.log(`These import each other: ${cycle.join(', ')}`)
const count = violations.length + cycles.length
console.log(
  count === 0
    ? 'Every import follows the architecture rules.'
    : `${violations.length} line(s) break the architecture rules, and there are ${cycles.length} import cycle(s).`,
)
process.exitCode = count === 0 ? 0 : 1
