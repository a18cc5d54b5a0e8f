import { type FaultName, faultNames } from '#kit/runtime.ts'
import { randomToken } from '#kit/secrets.ts'
import type { MovableClock } from '#testbed/process/clock.ts'
import type { ProcessState } from '#testbed/process/process-state.ts'
import { type RunningEnvironment, requireOwnChain } from '#testbed/services/start-environment.ts'
import { foreignDatabase, unknownSnapshot } from './errors.ts'

/** Snapshots of a whole testbed, kept in memory while it runs. */
export interface SnapshotStore {
  /**
   * Saves the current state. Returns the snapshot's id.
   * @throws TestbedError `foreign_chain`, `foreign_database`
   */
  create(): Promise<string>
  /** Oldest first. */
  list(): readonly SavedSnapshot[]
  /**
   * Restores everything; keeps this snapshot and drops later ones.
   * @throws TestbedError `unknown_snapshot`, `foreign_chain`, `foreign_database`
   */
  restore(id: string): Promise<void>
  /**
   * Drops a snapshot and frees its memory.
   * @throws TestbedError `unknown_snapshot`
   */
  forget(id: string): Promise<void>
}

export interface SavedSnapshot {
  readonly id: string
  /** The testbed's time when it was saved, Unix seconds. */
  readonly savedAt: number
}

export interface SnapshotStoreOptions {
  readonly environments: readonly RunningEnvironment[]
  /** Of every process that runs services. */
  readonly states: readonly ProcessState[]
  readonly clock: MovableClock
}

interface Snapshot {
  readonly savedAt: number
  readonly clockOffset: number
  readonly faults: readonly ReadonlySet<FaultName>[]
}

/** How long to wait for open requests before a snapshot is taken anyway. */
const limitMilliseconds = 1000
const largestNumber = 100

function refuseForeign({ context, ...environment }: RunningEnvironment): void {
  requireOwnChain({ context, ...environment })
  if (context.databaseUrl('issuer').startsWith('sqlite:')) return
  throw foreignDatabase()
}

/**
 * Takes and restores snapshots, one at a time. Meanwhile it holds requests from outside and waits
 * for open requests; a restore ends those that are still open.
 */
export function createSnapshotStore(options: SnapshotStoreOptions): SnapshotStore {
  const { environments, states, clock } = options
  const snapshots = new Map<string, Snapshot>()
  let turn: Promise<unknown> = Promise.resolve()

  const chains = () => environments.map(requireOwnChain)
  const everywhere = (work: (state: ProcessState) => Promise<void>) => Promise.all(states.map(work))

  const whileHeld = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(async () => {
      try {
        const began = performance.now()
        await everywhere((state) => state.hold(limitMilliseconds))
        // Twice, because what ended in one process may have started work in a different process.
        const left = Math.max(0, limitMilliseconds - (performance.now() - began))
        await everywhere((state) => state.hold(left))
        return await work()
      } finally {
        await everywhere((state) => state.release())
      }
    })
    turn = result.catch(() => {})
    return result
  }

  const find = (id: string): Snapshot => {
    const snapshot = snapshots.get(id)
    if (snapshot !== undefined) return snapshot
    throw unknownSnapshot()
  }

  const drop = async (id: string) => {
    snapshots.delete(id)
    await Promise.all([
      everywhere((state) => state.forget(id)),
      ...chains().map((chain) => chain.forget(id)),
    ])
  }

  const restoreFaults = (faults: Snapshot['faults']) =>
    Promise.all(
      environments.flatMap(({ context }, index) =>
        faultNames.map((name) => context.runtime.faults.set(name, !!faults[index]?.has(name))),
      ),
    )

  return {
    async create() {
      environments.forEach(refuseForeign)
      return whileHeld(async () => {
        const id = randomToken()
        const [oldest] = snapshots.keys()
        if (oldest !== undefined && snapshots.size >= largestNumber) await drop(oldest)
        await Promise.all([
          everywhere((state) => state.save(id)),
          ...chains().map((chain) => chain.save(id)),
        ])
        snapshots.set(id, {
          savedAt: clock.seconds(),
          clockOffset: clock.offset,
          faults: environments.map(
            ({ context: { runtime } }) =>
              new Set(faultNames.filter((name) => runtime.faults.isActive(name))),
          ),
        })
        return id
      })
    },
    list: () => [...snapshots].map(([id, { savedAt }]) => ({ id, savedAt })),
    async restore(id) {
      environments.forEach(refuseForeign)
      return whileHeld(async () => {
        const snapshot = find(id)
        clock.moveTo(snapshot.clockOffset)
        await Promise.all(environments.map((each) => each.followClock(snapshot.clockOffset)))
        await Promise.all([
          everywhere((state) => state.restore(id)),
          ...chains().map((chain) => chain.restore(id)),
          restoreFaults(snapshot.faults),
        ])
        const ids = [...snapshots.keys()]
        for (const later of ids.slice(ids.indexOf(id) + 1)) await drop(later)
      })
    },
    forget(id) {
      // In sequence: the snapshot that is being restored is still needed.
      const result = turn.then(async () => {
        find(id)
        await drop(id)
      })
      turn = result.catch(() => {})
      return result
    },
  }
}
