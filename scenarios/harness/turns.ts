import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { ControlClient } from './control-client.ts'

/** What happens around each scenario that has the testbed for itself. */
export interface Turns {
  begin(): Promise<void>
  /** Puts the testbed right again, whatever the scenario left behind. */
  end(): Promise<void>
}

/** Gives what is told of something that could not be put right. */
export type Warn = (what: string) => (error: unknown) => void

/** Mends all that a scenario may have broken on purpose. */
export async function mendTestbed(
  control: Pick<ControlClient, 'listFaults' | 'setFault' | 'setManagementFailure' | 'setMining'>,
): Promise<void> {
  for (const name of await control.listFaults()) await control.setFault(name, false)
  await control.setManagementFailure(null)
  await control.setMining('auto')
}

/** A chain of somebody else has no snapshots, and no clock of ours. */
const hasNone = (error: unknown) => isTestbedError(error) && error.extra.status === 409

/** Gives the id of a new snapshot; undefined where none can be made. */
export async function saveState(
  control: Pick<ControlClient, 'createSnapshot'>,
  warn: Warn,
): Promise<string | undefined> {
  try {
    return await control.createSnapshot()
  } catch (error) {
    if (!hasNone(error)) warn('No snapshot could be made')(error)
    return undefined
  }
}
