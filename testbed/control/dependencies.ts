import type { MovableClock } from '#testbed/process/clock.ts'
import type { TraceBuffer } from '#testbed/process/traces.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleSessions } from './authentication.ts'
import type { SnapshotStore } from './create-snapshot-store.ts'
import { unknownEnvironment } from './errors.ts'

/** What the control interface needs. */
export interface ControlDependencies {
  readonly environments: ReadonlyMap<string, RunningEnvironment>
  readonly clock: MovableClock
  readonly traces: TraceBuffer
  readonly snapshots: SnapshotStore
  readonly sessions: ConsoleSessions
  /** Ends streams when the testbed stops. */
  readonly stopping: AbortSignal
}

/** @throws TestbedError `unknown_environment` (404) */
export function findEnvironment(
  { environments }: ControlDependencies,
  name: string,
): RunningEnvironment {
  const found = environments.get(name)
  if (found !== undefined) return found
  throw unknownEnvironment(environments.keys())
}
