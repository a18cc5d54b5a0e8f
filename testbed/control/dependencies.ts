import type { TraceBuffer } from '#testbed/traces.ts'
import type { MovableClock } from '../clock.ts'
import type { RunningEnvironment } from '../environment.ts'
import type { SnapshotStore } from '../snapshots/create-snapshot-store.ts'
import type { ConsoleSessions } from './console-sessions.ts'

/** What the control interface works with. */
export interface ControlDependencies {
  readonly environments: ReadonlyMap<string, RunningEnvironment>
  readonly clock: MovableClock
  readonly traces: TraceBuffer
  readonly snapshots: SnapshotStore
  readonly sessions: ConsoleSessions
  /** Ends streams when the testbed stops. */
  readonly stopping: AbortSignal
}
