import { dirname } from 'node:path'
import { findArchitectureViolations } from './checks/find-architecture-violations.ts'

const violations = findArchitectureViolations(dirname(import.meta.dirname))
for (const { file, line, problem, advice } of violations) {
  console.log(`${file}:${line}: ${problem}: ${advice}`)
}
console.log(
  violations.length === 0
    ? 'Every import follows the arrows.'
    : `${violations.length} line(s) break the rules of the house.`,
)
process.exitCode = violations.length === 0 ? 0 : 1
