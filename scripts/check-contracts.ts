import { dirname } from 'node:path'
import { findContractDrift } from './contracts/generate-contract-files.ts'

const drift = findContractDrift(dirname(import.meta.dirname))
for (const path of drift) console.log(`${path}: out of date; run node scripts/compile-contracts.ts`)
if (drift.length === 0) console.log('The compiled contracts match their sources.')
process.exitCode = drift.length === 0 ? 0 : 1
