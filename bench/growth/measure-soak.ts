import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Measurement, runLoad, type Table } from '../harness.ts'
import { memoryOf } from '../testbed.ts'
import { prepareFlows } from '../testbed-flows.ts'
import { startTestbedProcess, withTemporaryFolder } from '../testbed-process.ts'

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
