import { dirname } from 'node:path'
import {
  findArchitectureViolations,
  findImportCycles,
} from './checks/find-architecture-violations.ts'
import { reportProblems } from './checks/report-problems.ts'

const root = dirname(import.meta.dirname)
const violations = findArchitectureViolations(root).map(
  ({ file, line, problem, advice }) => `${file}:${line}: ${problem}: ${advice}`,
)
const cycles = findImportCycles(root).map((cycle) => `These import each other: ${cycle.join(', ')}`)
reportProblems([...violations, ...cycles], 'Every import follows the architecture rules.')
