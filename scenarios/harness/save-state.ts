import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { ControlClient } from './control-client.ts'
import type { Warn } from './turns.ts'

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
