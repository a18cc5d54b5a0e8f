import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { type ControlClient, mendTestbed } from './control-client.ts'
import type { HopCollector } from './hops.ts'
import type { HttpClient } from './http-client.ts'

/** What happens around each scenario that has the testbed for itself. Neither rejects. */
interface Turns {
  begin(): Promise<void>
  /** Puts the testbed right again, whatever the scenario left behind. */
  end(): Promise<void>
}

/** Gives what is told of something that could not be put right. */
export type Warn = (what: string) => (error: unknown) => void

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

/** Gives the id of a new snapshot; undefined where none can be made. */
async function saveState(
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

/** A chain of somebody else has no snapshots, and no clock of ours. */
const hasNone = (error: unknown) => isTestbedError(error) && error.extra.status === 409

/** Several blocks in one second are a second apart each. */
const usualChainLead = 5

/** What is wrong with a testbed whose chain is so many seconds ahead of its clock, if anything is. */
export function describeChainLead(seconds: number): string[] {
  if (seconds <= usualChainLead) return []
  return [
    `The chain is ${seconds} s ahead of the clock, which was moved and put back. What is registered on it counts only then; a testbed that is started anew has none of this.`,
  ]
}

/**
 * By how many seconds a chain is ahead of the testbed's clock; negative where it is behind, as it
 * usually is. The clock can be put back, the time of a chain can't.
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

/** A block of a chain. */
interface ChainBlock {
  readonly number: number
  /** Unix seconds. */
  readonly timestamp: number
  readonly transactions: readonly unknown[]
}

/** What can be seen of a chain at its node, whoever sent it. */
interface ChainView {
  readLatest(): Promise<ChainBlock>
  /** How many transactions are in the blocks after this one. */
  countTransactions(afterBlock: number): Promise<number>
}

/** Looks at a chain by Ethereum JSON-RPC, eth_getBlockByNumber. */
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
