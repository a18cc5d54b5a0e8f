// Compares docs/reference/wallet-faults.md with the faults of the wallet and the rules that they break;
// with --write it writes the document.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { faultCatalogue } from '#scenarios/fixtures/fault-catalogue.ts'
import {
  allFaults,
  issuanceFaults,
  presentationFaults,
} from '#wallet-emulator/faults/find-faults.ts'
import {
  createWalletFaultsDocument,
  findFaultGaps,
  parseCatalogue,
} from './checks/wallet-faults.ts'

const root = dirname(import.meta.dirname)
const documentFile = 'docs/reference/wallet-faults.md'
const pathOf = (file: string) => join(root, file)
const read = (file: string) => (existsSync(pathOf(file)) ? readFileSync(pathOf(file), 'utf8') : '')

const checks = parseCatalogue(read('docs/reference/wallet-faults/checks.tsv'))
const names = allFaults.map(({ name }) => name)
const problems = [...findFaultGaps(checks, faultCatalogue, names)]
const document = createWalletFaultsDocument({
  checks,
  issuance: issuanceFaults,
  presentation: presentationFaults,
})
if (read(documentFile) !== document) {
  if (process.argv.includes('--write')) {
    writeFileSync(pathOf(documentFile), document)
    console.log(`${documentFile} written.`)
  } else {
    problems.push(`${documentFile} is out of date: run node scripts/check-wallet-faults.ts --write`)
  }
}
for (const problem of problems) console.log(problem)
if (problems.length === 0) console.log('Each check on issuers and verifiers has its faults.')
process.exitCode = problems.length === 0 ? 0 : 1
