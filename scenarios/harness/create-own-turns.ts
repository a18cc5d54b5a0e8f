import type { ControlClient } from './control-client.ts'
import { mendTestbed } from './mend-testbed.ts'
import { saveState } from './save-state.ts'
import type { Turns, Warn } from './turns.ts'

/**
 * Turns at a testbed that is there for this run alone: after each one its whole state goes back to
 * what it was before the first.
 */
export function createOwnTurns(control: ControlClient, warn: Warn): Turns {
  let snapshot: string | undefined
  return {
    async begin() {
      snapshot ??= await saveState(control, warn)
    },
    async end() {
      await mendTestbed(control).catch(warn('What is broken could not be mended'))
      if (snapshot !== undefined) {
        await control.restoreSnapshot(snapshot).catch(warn('The state could not be put back'))
      }
      await control.resetClock().catch(warn('The clock could not be put back'))
    },
  }
}
