import type { HopCollector } from './collect-hops.ts'
import type { ControlClient } from './control-client.ts'
import { mendTestbed, saveState, type Turns, type Warn } from './turns.ts'

/** A testbed that others may use as well, as turns see it. */
export interface SharedTestbed {
  readonly control: ControlClient
  readonly hops: HopCollector
  /** By how many seconds the chain is ahead of the clock. */
  readChainLead(): Promise<number>
  /** The runs of this session so far: all others are somebody else's. */
  runIds(): ReadonlySet<string>
}

/** Several blocks in one second are a second apart each. */
const usualLead = 5

/**
 * Turns at a testbed that keeps what was done to it, but for one thing: where a turn left the chain
 * ahead of the clock, its whole state goes back to what it was before the turn. Otherwise nobody, nor
 * the next run, could register anything that counts at once. Where others changed something
 * meanwhile, their work is worth more: then it stays.
 */
export function createSharedTurns(testbed: SharedTestbed, warn: Warn): Turns {
  const { control, hops, readChainLead, runIds } = testbed
  let snapshot: string | undefined
  let leadBefore = 0
  let lastHop = 0

  async function putTimeBack(): Promise<void> {
    await control.resetClock()
    if ((await readChainLead()) <= Math.max(leadBefore, usualLead)) return
    await hops.collect()
    if (snapshot === undefined || hops.hasForeignChange(lastHop, runIds())) return
    await control.restoreSnapshot(snapshot)
    await control.resetClock()
  }

  return {
    async begin() {
      leadBefore = await readChainLead()
      await hops.collect()
      lastHop = hops.last
      snapshot = await saveState(control, warn)
    },
    async end() {
      await mendTestbed(control).catch(warn('What is broken could not be mended'))
      await putTimeBack().catch(warn('The time could not be put back'))
      if (snapshot !== undefined) {
        await control.forgetSnapshot(snapshot).catch(warn('A snapshot could not be dropped'))
      }
    },
  }
}

/** What is wrong with a testbed whose chain is so many seconds ahead of its clock, if anything is. */
export function describeLead(seconds: number): string[] {
  if (seconds <= usualLead) return []
  return [
    `The chain is ${seconds} s ahead of the clock, which was moved and put back. What is registered on it counts only then; a testbed that is started anew has none of this.`,
  ]
}
