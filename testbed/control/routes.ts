import { createBearerToken } from './routes/bearer-tokens.ts'
import { advanceClock, readClock, resetClock } from './routes/clock.ts'
import { createConsoleLink } from './routes/console-links.ts'
import { createDefective, listDefects } from './routes/defective-credentials.ts'
import { endFault, listFaults, readFault, startFault } from './routes/faults.ts'
import {
  endManagementFailure,
  readManagementFailure,
  startManagementFailure,
} from './routes/management-failure.ts'
import { mineBlock, setMining } from './routes/mining.ts'
import { createOffer } from './routes/offers.ts'
import { deleteOrganization, listOrganizations, putOrganization } from './routes/organizations.ts'
import { createSnapshot, forgetSnapshot, restoreSnapshot } from './routes/snapshots.ts'
import { readTraces, streamTraces } from './routes/traces.ts'
import { readTransaction } from './routes/transactions.ts'

/** The control interface (interfaces, section 4). */
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
  restoreSnapshot,
  forgetSnapshot,
  setMining,
  mineBlock,
  listFaults,
  readFault,
  startFault,
  endFault,
  readTransaction,
]
