import type { HopCollector } from './collect-hops.ts'
import type { ControlClient } from './control-client.ts'
import type { ChainView } from './create-chain-view.ts'
import { usualChainLead } from './describe-chain-lead.ts'
import { mendTestbed } from './mend-testbed.ts'
import { readChainLead } from './read-chain-lead.ts'
import { saveState } from './save-state.ts'
import type { Turns, Warn } from './turns.ts'

/** A testbed that others may use as well, as turns see it. */
export interface SharedTestbed {
  readonly control: ControlClient
  readonly hops: HopCollector
  readonly chain: ChainView
  /** The runs of this session so far: all others are somebody else's. */
  runIds(): ReadonlySet<string>
}

/** How everything was when a turn began. */
interface Beginning {
  readonly lastBlock: number
  readonly chainLead: number
  readonly lastHop: number
  readonly snapshot: string
}

/**
 * Turns at a testbed that keeps what was done to it, but for one thing: where a turn left the chain
 * ahead of the clock, its whole state goes back to what it was before the turn. Otherwise nobody, nor
 * the next run, could register anything that counts at once. Where others changed something
 * meanwhile, their work is worth more: then it stays.
 */
export function createSharedTurns(testbed: SharedTestbed, warn: Warn): Turns {
  const { control, hops, chain, runIds } = testbed
  let beginning: Beginning | undefined

  async function look(): Promise<Beginning | undefined> {
    const chainLead = await readChainLead(chain, control)
    const { number: lastBlock } = await chain.readLatest()
    await hops.collect()
    const lastHop = hops.last
    const snapshot = await saveState(control, warn)
    return snapshot === undefined ? undefined : { lastBlock, chainLead, lastHop, snapshot }
  }

  /** By what is recorded, and by the chain, where anybody may send transactions past all services. */
  async function haveOthersUsedIt({ lastBlock, lastHop }: Beginning): Promise<boolean> {
    await hops.collect()
    if (hops.hasForeignChange(lastHop, runIds())) return true
    return (await chain.countTransactions(lastBlock)) > hops.countTransactions(lastHop)
  }

  async function putTimeBack(before: Beginning): Promise<void> {
    const lead = await readChainLead(chain, control)
    if (lead <= Math.max(before.chainLead, usualChainLead)) return
    if (await haveOthersUsedIt(before)) return
    await control.restoreSnapshot(before.snapshot)
    await control.resetClock()
  }

  return {
    async begin() {
      beginning = await look().catch((error) => {
        warn('It could not be seen what a scenario begins with')(error)
        return undefined
      })
    },
    async end() {
      await mendTestbed(control).catch(warn('What is broken could not be mended'))
      await control.resetClock().catch(warn('The clock could not be put back'))
      if (beginning === undefined) return
      await putTimeBack(beginning).catch(warn("The chain's time could not be put back"))
      const forgetting = control.forgetSnapshot(beginning.snapshot)
      await forgetting.catch(warn('A snapshot could not be dropped'))
    },
  }
}
