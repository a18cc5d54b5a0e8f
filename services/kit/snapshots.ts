/** What a part of a service keeps, in a database or in memory, as it was at one moment. */
export interface SavedState {
  /** Puts it back; any number of times. */
  restore(): Promise<void> | void
  /** Lets go of it. */
  forget?(): Promise<void> | void
}

/** A part of a service that keeps or changes what a snapshot of the whole system has to hold. */
export interface Keeper {
  /** Settles when nothing is under way any more that no request waits for. */
  settled?(): Promise<unknown>
  save?(): Promise<SavedState> | SavedState
}

/** Where keepers make themselves known, for whoever runs the services and takes snapshots. */
export interface Snapshots {
  add(keeper: Keeper): void
}

export const noSnapshots: Snapshots = { add: () => {} }

/** For what is kept for speed alone: `forget` is called where a snapshot is restored. */
export function forgetOnRestore(snapshots: Snapshots, forget: () => void): void {
  snapshots.add({ save: () => ({ restore: forget }) })
}
