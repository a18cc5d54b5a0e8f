import { compare } from '../harness/compare.ts'
import type { Figure, Measurement } from '../harness/measurement.ts'
import { fillRegistry } from '../registries/fill-registry.ts'
import { createDidAccount, createRegistryClient } from '../registries/registry-client.ts'
import { startTestbedProcess, withTemporaryFolder } from '../testbed/start-testbed-process.ts'

const many = 10_000
const few = 10
const pageSize = 10
/** Milliseconds. A registration is the heaviest change of the DID registry: 830 000 gas each. */
const longestReplay = 60_000

/** A testbed whose registry holds so many DIDs more than the seeded ones. */
async function startFilled(folder: string, count: number) {
  const testbed = await startTestbedProcess(folder)
  const environment = testbed.file.environments.pre
  if (environment === undefined) throw new Error('no environment pre')
  await fillRegistry(environment, count)
  return { testbed, client: createRegistryClient(environment) }
}

export const measurement: Measurement = {
  title: `a registry of ${many} DIDs beside one of ${few}, and the replay of its journal`,
  measure: (say) =>
    withTemporaryFolder((largeFolder) =>
      withTemporaryFolder(async (smallFolder) => {
        say(`registering ${many} DIDs`)
        const large = await startFilled(largeFolder, many)
        const small = await startFilled(smallFolder, few)
        const flat = (unit: string, ours: () => Promise<unknown>, peer: () => Promise<unknown>) =>
          compare(
            {
              unit,
              ours: { name: `${many} DIDs`, operation: ours },
              peer: { name: `${few} DIDs`, operation: peer },
              loads: [{ concurrency: 1, operations: 200 }],
              atLeast: 0.8,
            },
            say,
          )
        // Spread over the whole registry, and made beforehand: making one costs more than reading it.
        const didsOf = (count: number) =>
          Array.from({ length: 10 }, (_, place) => createDidAccount((place * count) / 10).did)
        const manyDids = didsOf(many)
        const fewDids = didsOf(few)
        const anyOf = (dids: readonly string[]) =>
          dids[Math.floor(Math.random() * dids.length)] ?? ''
        const figures: Figure[] = []
        try {
          figures.push(
            ...(await flat(
              'resolutions',
              () => large.client.resolve(anyOf(manyDids)),
              () => small.client.resolve(anyOf(fewDids)),
            )),
            ...(await flat(
              'first pages',
              () => large.client.list(1, pageSize),
              () => small.client.list(1, pageSize),
            )),
            ...(await flat(
              'last pages',
              () => large.client.list(many / pageSize, pageSize),
              () => small.client.list(1, pageSize),
            )),
          )
        } finally {
          await Promise.all([large.testbed.stop(), small.testbed.stop()])
        }
        say('starting again on its journal')
        const again = await startTestbedProcess(largeFolder)
        await again.stop()
        figures.push({
          what: `start on a journal of ${many} registrations`,
          ours: `${(again.startMilliseconds / 1000).toFixed(1)} s, ${((many / again.startMilliseconds) * 1000).toFixed(0)} transactions/s`,
          target: `at most ${longestReplay / 1000} s`,
          holds: again.startMilliseconds <= longestReplay,
        })
        return figures
      }),
    ),
}
