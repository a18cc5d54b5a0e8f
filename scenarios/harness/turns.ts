import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { type ControlClient, clearFaults } from './control-client.ts'
import type { HopCollector } from './hops.ts'
import type { HttpClient } from './http-client.ts'

/**
 * What happens before and after each scenario that uses the testbed exclusively. Neither rejects.
 */
interface Turns {
  begin(): Promise<void>
  /** Restores the testbed after the scenario. */
  end(): Promise<void>
}

/** Creates the warning about a failed restore. */
export type Warn = (what: string) => (error: unknown) => void

/**
 * Turns at a testbed that exists only for this run: after each turn the whole state is restored to
 * that before the first.
 */
export function createOwnTurns(control: ControlClient, warn: Warn): Turns {
  let snapshot: string | undefined
  return {
    async begin() {
      snapshot ??= await saveState(control, warn)
    },
    async end() {
      await clearFaults(control).catch(warn('The faults could not be switched off'))
      if (snapshot !== undefined) {
        await control.restoreSnapshot(snapshot).catch(warn('The state could not be restored'))
      }
      await control.resetClock().catch(warn('The clock could not be restored'))
    },
  }
}

/** What turns need of a testbed with other users. */
export interface SharedTestbed {
  readonly control: ControlClient
  readonly hops: HopCollector
  readonly chain: ChainView
  /** The runs of this session so far: all other runs belong to other users. */
  runIds(): ReadonlySet<string>
}

/** The state at the beginning of a turn. */
interface Beginning {
  readonly lastBlock: number
  readonly chainLead: number
  readonly lastHop: number
  readonly snapshot: string
}

/**
 * Turns at a testbed that keeps its changes, with one exception: if a turn left the chain ahead of
 * the clock, the whole state of the testbed before the turn is restored. Otherwise no later
 * registration, not even of the next run, would be valid immediately. If other users changed
 * something meanwhile, their work takes precedence and the state stays.
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

  /**
   * Detected by the recorded hops, and by the chain if clients may send transactions past all
   * services.
   */
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
        warn('The state before a scenario could not be read')(error)
        return undefined
      })
    },
    async end() {
      await clearFaults(control).catch(warn('The faults could not be switched off'))
      await control.resetClock().catch(warn('The clock could not be restored'))
      if (beginning === undefined) return
      await putTimeBack(beginning).catch(warn("The chain's time could not be restored"))
      const forgetting = control.forgetSnapshot(beginning.snapshot)
      await forgetting.catch(warn('A snapshot could not be dropped'))
    },
  }
}

/** Returns the id of a new snapshot; undefined if none can be taken. */
async function saveState(
  control: Pick<ControlClient, 'createSnapshot'>,
  warn: Warn,
): Promise<string | undefined> {
  try {
    return await control.createSnapshot()
  } catch (error) {
    if (!hasNone(error)) warn('A snapshot could not be taken')(error)
    return undefined
  }
}

/** An external chain has no snapshots, and the testbed does not control its clock. */
const hasNone = (error: unknown) => isTestbedError(error) && error.extra.status === 409

/** Several blocks in one second are one second apart each. */
const usualChainLead = 5

/** The problem of a testbed whose chain is this many seconds ahead of its clock, if any. */
export function describeChainLead(seconds: number): string[] {
  if (seconds <= usualChainLead) return []
  return [
    `The chain is ${seconds} s ahead of the clock, which was moved and restored. New registrations are valid only after this time. A restarted testbed in memory has no such delay.`,
  ]
}

/**
 * The lead of a chain over the testbed's clock, in seconds; negative if it is behind, as usual. The
 * clock can be restored, the time of a chain cannot.
 */
export async function readChainLead(
  chain: Pick<ChainView, 'readLatest'>,
  control: Pick<ControlClient, 'readClock'>,
): Promise<number> {
  const { timestamp } = await chain.readLatest()
  return timestamp - (await control.readClock())
}

const zNumber = z.string().transform(Number)

const zAnswer = z.object({
  result: z.object({ number: zNumber, timestamp: zNumber, transactions: z.array(z.unknown()) }),
})

interface ChainBlock {
  readonly number: number
  /** Unix seconds. */
  readonly timestamp: number
  readonly transactions: readonly unknown[]
}

/** The public data of a chain at its node, from any sender. */
interface ChainView {
  readLatest(): Promise<ChainBlock>
  /** How many transactions are in the blocks after this one. */
  countTransactions(afterBlock: number): Promise<number>
}

/** Reads a chain by Ethereum JSON-RPC, eth_getBlockByNumber. */
export function createChainView(rpcUrl: string, http: Pick<HttpClient, 'request'>): ChainView {
  const readBlock = async (block: string): Promise<ChainBlock> => {
    const json = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [block, false] }
    return zAnswer.parse((await http.request(rpcUrl, { json })).json).result
  }
  const readLatest = () => readBlock('latest')
  return {
    readLatest,
    async countTransactions(afterBlock) {
      const { number: last } = await readLatest()
      let count = 0
      for (let number = afterBlock + 1; number <= last; number++) {
        count += (await readBlock(`0x${number.toString(16)}`)).transactions.length
      }
      return count
    },
  }
}
