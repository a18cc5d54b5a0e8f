/** The state of a part of a service, in a database or in memory, at one moment. */
export interface SavedState {
  /** Restores the state; can be called several times. */
  restore(): Promise<void> | void
  /** Releases the saved state. */
  forget?(): Promise<void> | void
}

/** A part of a service with state that belongs in a snapshot of the whole system. */
export interface Keeper {
  /** Resolves as soon as no background work is in progress. */
  settled?(): Promise<unknown>
  save?(): Promise<SavedState> | SavedState
}

/** The registry of keepers, for the process that runs the services and takes snapshots. */
export interface Snapshots {
  add(keeper: Keeper): void
}

export const noSnapshots: Snapshots = { add: () => {} }

/** For caches: calls `forget` when a snapshot is restored. */
export function forgetOnRestore(snapshots: Snapshots, forget: () => void): void {
  snapshots.add({ save: () => ({ restore: forget }) })
}
