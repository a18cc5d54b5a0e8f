import type { Snapshots } from '#kit/snapshots.ts'

/** For what is kept for speed alone: `forget` is called where a snapshot is restored. */
export function forgetOnRestore(snapshots: Snapshots, forget: () => void): void {
  snapshots.add({ save: () => ({ restore: forget }) })
}
