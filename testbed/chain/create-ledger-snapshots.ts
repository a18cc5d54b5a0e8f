import { TestbedError } from '#core/errors/testbed-error.ts'
import type { MiningMode } from './create-ledger.ts'
import type { SimulatedNetwork } from './create-simulated-network.ts'
import type { Journal } from './journal.ts'

interface LedgerSnapshot {
  /** The network's own name of it. */
  readonly networkId: string
  /** Length of the journal. */
  readonly position: number
  readonly mode: MiningMode
}

/** Named states of the chain, what is pending in it, and its journal. */
export interface LedgerSnapshots {
  /** Call both while nothing else changes the chain. */
  save(name: string, mode: MiningMode): Promise<void>
  /**
   * Back to a state, which can be restored again; those that were saved after it are gone. Returns
   * the mining mode of then.
   * @throws TestbedError `unknown_snapshot`
   */
  restore(name: string): Promise<MiningMode>
  forget(name: string): void
}

/**
 * The network's own snapshots hold blocks, state, time and memory pool; the journal is cut to the
 * length that it had, so that a replay gives the restored chain.
 */
export function createLedgerSnapshots(
  { request }: SimulatedNetwork,
  journal: Journal | undefined,
): LedgerSnapshots {
  const saved = new Map<string, LedgerSnapshot>()
  return {
    async save(name, mode) {
      const networkId = await request<string>('evm_snapshot')
      saved.set(name, { networkId, position: journal?.position ?? 0, mode })
    },
    async restore(name) {
      const snapshot = saved.get(name)
      if (snapshot === undefined) {
        throw new TestbedError({
          code: 'unknown_snapshot',
          status: 404,
          message: 'The chain has no such snapshot.',
        })
      }
      // First what outlives this process.
      journal?.truncate(snapshot.position)
      await request('evm_revert', [snapshot.networkId])
      const names = [...saved.keys()]
      for (const later of names.slice(names.indexOf(name) + 1)) saved.delete(later)
      // The network's own is used up by it.
      const networkId = await request<string>('evm_snapshot')
      saved.set(name, { ...snapshot, networkId })
      return snapshot.mode
    },
    forget(name) {
      saved.delete(name)
    },
  }
}
