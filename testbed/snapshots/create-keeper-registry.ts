import type { Keeper, SavedState, Snapshots } from '#kit/snapshots.ts'

/** All keepers of a process, saved and restored together. */
export interface KeeperRegistry extends Snapshots {
  /** Settles when no keeper has work under way. */
  settled(): Promise<void>
  save(name: string): Promise<void>
  /** Puts back what was saved under a name. */
  restore(name: string): Promise<void>
  forget(name: string): Promise<void>
}

/** An empty registry; services add their keepers while they are made. */
export function createKeeperRegistry(): KeeperRegistry {
  const keepers: Keeper[] = []
  const saved = new Map<string, readonly SavedState[]>()
  return {
    add(keeper) {
      keepers.push(keeper)
    },
    async settled() {
      await Promise.allSettled(keepers.map((keeper) => keeper.settled?.()))
    },
    async save(name) {
      const states = await Promise.all(keepers.map((keeper) => keeper.save?.()))
      saved.set(
        name,
        states.filter((state) => state !== undefined),
      )
    },
    async restore(name) {
      await Promise.all((saved.get(name) ?? []).map((state) => state.restore()))
    },
    async forget(name) {
      const states = saved.get(name) ?? []
      saved.delete(name)
      await Promise.all(states.map((state) => state.forget?.()))
    },
  }
}
