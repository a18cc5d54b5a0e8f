import { createLog } from '#kit/log.ts'
import type { Testbed } from '#testbed/start-testbed.ts'
import { prepareProcesses } from '../services/prepare-processes.ts'
import { notStarted } from './errors.ts'

/**
 * Starts a testbed in memory on free ports, for one run.
 * @throws TestbedError `not_started`
 */
export async function startOwnTestbed(options: {
  readonly seed: string
  /** Each service in a separate process. */
  readonly processes: boolean
}): Promise<Testbed> {
  const endUnused = prepareProcesses(options)
  const { startTestbed } = await import('#testbed/start-testbed.ts')
  const log = createLog({ level: process.env.LOG_LEVEL ?? 'silent' })
  return startTestbed({ ...options, log })
    .catch((cause: unknown) => {
      throw notStarted(cause)
    })
    .finally(endUnused)
}
