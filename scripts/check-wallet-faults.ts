// Compares docs/reference/wallet-faults.md with the faults of the wallet and the rules that they break;
// with --write it writes the document.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { faultCatalogue } from '#scenarios/fixtures/fault-catalogue.ts'
import {
  allFaults,
  issuanceFaults,
  presentationFaults,
} from '#wallet-emulator/faults/find-faults.ts'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import {
  createWalletFaultsDocument,
  findFaultGaps,
  parseCatalogue,
} from './checks/wallet-faults.ts'

const root = dirname(import.meta.dirname)
const catalogue = join(root, 'docs/reference/wallet-faults/checks.tsv')

const checks = parseCatalogue(readFileSync(catalogue, 'utf8'))
const names = allFaults.map(({ name }) => name)
const problems = [...findFaultGaps(checks, faultCatalogue, names)]
const document = createWalletFaultsDocument({
  checks,
  issuance: issuanceFaults,
  presentation: presentationFaults,
})
problems.push(...keepGenerated({ 'docs/reference/wallet-faults.md': document }))
reportProblems(problems, 'Each check on issuers and verifiers has its faults.')
