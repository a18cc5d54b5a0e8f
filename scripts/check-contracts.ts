// Compares the compiled contracts, their ABIs in core and docs/reference/events.md with the sources;
// with --write it compiles the contracts and updates them.
import { dirname } from 'node:path'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import { generateContractFiles } from './contracts/generate-contract-files.ts'

const files = generateContractFiles(dirname(import.meta.dirname))
reportProblems(keepGenerated(files), 'The compiled contracts match their sources.')
