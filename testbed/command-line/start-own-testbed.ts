import { createLog, readLogLevel } from '#kit/log.ts'
import { prepareProcesses } from '#testbed/services/prepare-processes.ts'
import type { ServiceSettings } from '#testbed/services/service-settings.ts'
import type { Testbed } from '#testbed/start-testbed.ts'
import { notStarted } from './errors.ts'

/** Scenarios should not wait for pauses that spare a person's machine or a slow chain. */
const impatient: ServiceSettings = {
  connector: { retryMilliseconds: 100 },
  'did-registry': { receiptWaitMilliseconds: 200 },
  idp: { pollMilliseconds: 100 },
  issuer: { mailRetryMilliseconds: 100 },
  verifier: { reportRetryMilliseconds: 100 },
}

/**
 * Starts a testbed in memory on free ports, for one run. Its services retry and poll more often than
 * by default.
 * @throws TestbedError `not_started`
 */
export async function startOwnTestbed(options: {
  readonly seed: string
  /** Each service in a separate process. */
  readonly processes: boolean
}): Promise<Testbed> {
  const endUnused = prepareProcesses(options)
  const { startTestbed } = await import('#testbed/start-testbed.ts')
  const log = createLog({ level: readLogLevel(process.env, 'silent') })
  return startTestbed({ ...options, settings: impatient, log })
    .catch((cause: unknown) => {
      throw notStarted(cause)
    })
    .finally(endUnused)
}
