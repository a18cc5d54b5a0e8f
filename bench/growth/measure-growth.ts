import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Measurement, runLoad, type Table } from '../harness.ts'
import { postJson } from '../issuance/issue.ts'
import { prepareFlows } from '../testbed-flows.ts'
import {
  startTestbedProcess,
  type TestbedProcess,
  withTemporaryFolder,
} from '../testbed-process.ts'
import { multiplyRows } from './multiply-rows.ts'

const sizes = [10, 1000, 10_000, 100_000]
/** The testbed's inbox keeps no more emails. */
const largestInbox = 1000
/** Credentials and emails of the issuer, credentials of its connector, then the sessions of logins. */
const tables = [
  'mails',
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
    const count = file.endsWith('mail.sqlite') ? Math.min(rows, largestInbox) : rows
    for (const table of tables) if (present.has(table)) multiplyRows(database, table, count)
    database.close()
  }
}

/** Orders of credentials for an employee, who gets the offer by email. */
async function prepareOrder({ environment, control }: TestbedProcess) {
  const [organization] = environment.organizations
  const bearer = await postJson(
    `${control.url}/pre/bearer-tokens`,
    { organization_identifier: organization?.organizationIdentifier },
    control.token,
  )
  const order = { email: 'eva.sanz@bench.example', power: organization?.authorizedPowers }
  return () =>
    postJson(`${environment.issuerBaseUrl}/issuance/employee`, order, bearer.access_token)
}

/** What a login, an issuance, an order by email and a start cost with more stored credentials and sessions. */
export const measureGrowth: Measurement = async (say) => {
  const rows: string[][] = []
  for (const size of sizes) {
    await withTemporaryFolder(async (folder) => {
      const first = await startTestbedProcess(folder)
      await (await prepareFlows(first)).logIn()
      await (await prepareOrder(first))()
      await first.stop()
      await fillDatabases(folder, size)
      const testbed = await startTestbedProcess(folder)
      try {
        const flows = await prepareFlows(testbed)
        await runLoad(() => flows.logIn(), load)
        const login = await runLoad(() => flows.logIn(), load)
        await runLoad(() => flows.issue(), load)
        const issuance = await runLoad(() => flows.issue(), load)
        const order = await prepareOrder(testbed)
        await runLoad(order, load)
        const email = await runLoad(order, load)
        const readInbox = () =>
          fetch(`${testbed.mailUrl}/api/v2/messages?limit=50`).then((answer) => answer.text())
        const inbox = await runLoad(readInbox, load)
        const started = testbed.startMilliseconds / 1000
        rows.push([
          String(size),
          started.toFixed(2),
          issuance.median.toFixed(1),
          login.median.toFixed(1),
          email.median.toFixed(1),
          inbox.median.toFixed(1),
        ])
        say(rows.at(-1)?.join(', ') ?? '')
      } finally {
        await testbed.stop()
      }
    })
  }
  const table: Table = {
    title: 'cost with this many stored credentials, sessions and emails, median at concurrency 1',
    columns: ['rows', 'start s', 'issuance ms', 'login ms', 'order by email ms', 'inbox page ms'],
    rows,
  }
  return [table]
}
