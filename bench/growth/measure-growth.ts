import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Measurement, runLoad, type Table } from '../harness.ts'
import { postJson } from '../issuance/issue.ts'
import { fillRegistry } from '../registries/measure-registries.ts'
import { createDidAccount, createRegistryClient } from '../registries/registry-client.ts'
import { memoryOf } from '../testbed.ts'
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

const reads = { concurrency: 1, operations: 200 }
const pageSize = 10

/** Milliseconds; median after a warm-up. */
async function medianOf(operation: () => Promise<unknown>): Promise<string> {
  await runLoad(operation, reads)
  return (await runLoad(operation, reads)).median.toFixed(1)
}

/** What reads and a start cost with more registered DIDs: one registry that grows. */
export const measureDids: Measurement = (say) =>
  withTemporaryFolder(async (folder) => {
    const rows: string[][] = []
    let registered = 0
    for (const size of sizes) {
      const filling = await startTestbedProcess(folder)
      await fillRegistry(filling.environment, registered, size).finally(filling.stop)
      registered = size
      const testbed = await startTestbedProcess(folder)
      try {
        const client = createRegistryClient(testbed.environment)
        // Spread over the whole registry, and computed in advance: that costs more than reading.
        const dids = Array.from({ length: 10 }, (_, i) => createDidAccount((i * size) / 10).did)
        let next = 0
        const resolve = () => client.resolve(dids[next++ % dids.length] ?? '')
        rows.push([
          String(size),
          (testbed.startMilliseconds / 1000).toFixed(2),
          await medianOf(resolve),
          await medianOf(() => client.list(1, pageSize)),
          await medianOf(() => client.list(size / pageSize, pageSize)),
          await medianOf(() => client.readAttribute()),
        ])
        say(rows.at(-1)?.join(', ') ?? '')
      } finally {
        await testbed.stop()
      }
    }
    const table: Table = {
      title: 'cost with this many registered DIDs, median at concurrency 1',
      columns: [
        'DIDs',
        'start s',
        'resolution ms',
        'first page ms',
        'last page ms',
        'accreditation ms',
      ],
      rows,
    }
    return [table]
  })

const minutes = 10
const concurrency = 8

/** MB of all databases in the data folder. */
async function databaseSizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true })
  const sizes = files
    .filter((name) => name.includes('.sqlite'))
    .map(async (name) => (await stat(join(folder, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1e6
}

/** Logins and issuances for ten minutes, with what the process holds after each. */
export const measureSoak: Measurement = (say) =>
  withTemporaryFolder(async (folder) => {
    const testbed = await startTestbedProcess(folder)
    try {
      const flows = await prepareFlows(testbed)
      const rows: string[][] = []
      for (let minute = 1; minute <= minutes; minute++) {
        const end = performance.now() + 60_000
        let done = 0
        const untilEnd = async () => {
          for (; performance.now() < end; done++) await (done % 2 ? flows.logIn() : flows.issue())
        }
        await runLoad(untilEnd, { concurrency, operations: concurrency })
        const handles = await readdir(`/proc/${testbed.pid}/fd`)
        rows.push([
          String(minute),
          String(done),
          (await memoryOf(testbed.pid)).toFixed(0),
          String(handles.length),
          (await databaseSizeOf(folder)).toFixed(1),
        ])
        say(`minute ${minute}: ${rows.at(-1)?.slice(1).join(', ')}`)
      }
      const table: Table = {
        title: `soak at concurrency ${concurrency}: logins and issuances in turns`,
        columns: ['minute', 'flows', 'memory MiB', 'file handles', 'databases MB'],
        rows,
      }
      return [table]
    } finally {
      await testbed.stop()
    }
  })
