import { type Measurement, runLoad, type Table } from '../harness.ts'
import { fillRegistry } from '../registries/measure-registries.ts'
import { createDidAccount, createRegistryClient } from '../registries/registry-client.ts'
import { startTestbedProcess, withTemporaryFolder } from '../testbed-process.ts'

const sizes = [10, 1000, 10_000, 100_000]
const load = { concurrency: 1, operations: 200 }
const pageSize = 10

/** Milliseconds; median after a warm-up. */
async function medianOf(operation: () => Promise<unknown>): Promise<string> {
  await runLoad(operation, load)
  return (await runLoad(operation, load)).median.toFixed(1)
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
