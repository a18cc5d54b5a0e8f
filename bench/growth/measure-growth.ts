import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Measurement, runLoad, type Table } from '../harness.ts'
import { prepareFlows } from '../testbed-flows.ts'
import { startTestbedProcess, withTemporaryFolder } from '../testbed-process.ts'
import { multiplyRows } from './multiply-rows.ts'

const sizes = [10, 1000, 10_000, 100_000]
/** Credentials at the issuer and its connector, then the sessions of logins. */
const tables = [
  'records',
  'issuances',
  'credentials',
  'notifications',
  'verification_sessions',
  'logins',
  'granted_credentials',
  'openid_artifacts',
]
const load = { concurrency: 1, operations: 60 }

/** Fills the databases of a testbed that is not running. */
async function fillDatabases(folder: string, rows: number): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.sqlite'))) {
    const database = new DatabaseSync(join(folder, file))
    const listed = database.prepare("select name from sqlite_schema where type = 'table'").all()
    const present = new Set(listed.map(({ name }) => name))
    for (const table of tables) if (present.has(table)) multiplyRows(database, table, rows)
    database.close()
  }
}

/** What a login, an issuance and a start cost with more stored credentials and sessions. */
export const measureGrowth: Measurement = async (say) => {
  const rows: string[][] = []
  for (const size of sizes) {
    await withTemporaryFolder(async (folder) => {
      const first = await startTestbedProcess(folder)
      await (await prepareFlows(first)).logIn()
      await first.stop()
      await fillDatabases(folder, size)
      const testbed = await startTestbedProcess(folder)
      try {
        const flows = await prepareFlows(testbed)
        await runLoad(() => flows.logIn(), load)
        const login = await runLoad(() => flows.logIn(), load)
        await runLoad(() => flows.issue(), load)
        const issuance = await runLoad(() => flows.issue(), load)
        const started = testbed.startMilliseconds / 1000
        rows.push([
          String(size),
          started.toFixed(2),
          issuance.median.toFixed(1),
          login.median.toFixed(1),
        ])
        say(
          `${size}: issuance ${issuance.median.toFixed(1)} ms, login ${login.median.toFixed(1)} ms`,
        )
      } finally {
        await testbed.stop()
      }
    })
  }
  const table: Table = {
    title: 'cost with this many stored credentials and sessions, median at concurrency 1',
    columns: ['rows', 'start s', 'issuance ms', 'login ms'],
    rows,
  }
  return [table]
}
