import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { ControlClient } from './control-client.ts'

/** What happens around each scenario that has the testbed for itself. */
export interface Turns {
  begin(): Promise<void>
  /** Puts the testbed right again, whatever the scenario left behind. */
  end(): Promise<void>
}

export interface TurnsOptions {
  /** Whether the state goes back as well, and not the clock and the faults alone. */
  readonly restore: boolean
  /** Gives what is told of something that could not be put right. */
  readonly warn: (what: string) => (error: unknown) => void
}

/** A chain of somebody else has no snapshots, and no clock of ours. */
const hasNone = (error: unknown) => isTestbedError(error) && error.extra.status === 409

/** Turns of exclusive scenarios, each of which begins with the testbed as the others left it. */
export function createTurns(
  control: Pick<
    ControlClient,
    | 'createSnapshot'
    | 'restoreSnapshot'
    | 'listFaults'
    | 'setFault'
    | 'setManagementFailure'
    | 'setMining'
    | 'resetClock'
  >,
  { restore, warn }: TurnsOptions,
): Turns {
  let snapshot: string | undefined

  async function mend(): Promise<void> {
    for (const name of await control.listFaults()) await control.setFault(name, false)
    await control.setManagementFailure(null)
    await control.setMining('auto')
  }

  return {
    async begin() {
      if (!restore || snapshot !== undefined) return
      snapshot = await control.createSnapshot().catch((error) => {
        if (!hasNone(error)) warn('No snapshot could be made')(error)
        return undefined
      })
    },
    async end() {
      await mend().catch(warn('What is broken could not be mended'))
      if (snapshot !== undefined) {
        await control.restoreSnapshot(snapshot).catch(warn('The state could not be put back'))
      }
      await control.resetClock().catch(warn('The clock could not be put back'))
    },
  }
}
