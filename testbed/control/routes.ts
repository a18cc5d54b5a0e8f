import {
  advanceClock,
  mineBlock,
  readClock,
  readMining,
  resetClock,
  setMining,
} from './routes/clock-and-mining.ts'
import { createDefective, listDefects } from './routes/defective-credentials.ts'
import { endFault, listFaults, readFault, startFault } from './routes/faults.ts'
import {
  deleteOrganization,
  endManagementFailure,
  listOrganizations,
  putOrganization,
  readManagementFailure,
  startManagementFailure,
} from './routes/management.ts'
import { createBearerToken, createOffer } from './routes/offers.ts'
import {
  createSnapshot,
  forgetSnapshot,
  listSnapshots,
  restoreSnapshot,
} from './routes/snapshots.ts'
import { createConsoleLink, readTraces, streamTraces } from './routes/traces.ts'
import { readTransaction } from './routes/transactions.ts'

/**
 * The control interface (docs/reference/control-interface.md). Its bodies are strict: a misspelled
 * member would be ignored, and the result not as ordered.
 */
export const controlRoutes = [
  readClock,
  advanceClock,
  resetClock,
  readTraces,
  streamTraces,
  createConsoleLink,
  createBearerToken,
  createOffer,
  listDefects,
  createDefective,
  listOrganizations,
  putOrganization,
  deleteOrganization,
  readManagementFailure,
  startManagementFailure,
  endManagementFailure,
  createSnapshot,
  listSnapshots,
  restoreSnapshot,
  forgetSnapshot,
  readMining,
  setMining,
  mineBlock,
  listFaults,
  readFault,
  startFault,
  endFault,
  readTransaction,
]
