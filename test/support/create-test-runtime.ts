import type { FaultName } from '#kit/faults.ts'
import { createLog, type Log } from '#kit/log.ts'
import { createRuntime, type Runtime } from '#kit/runtime.ts'

export interface TestRuntime extends Runtime {
  /** Moves this runtime's clock. */
  advance(seconds: number): void
  readonly activeFaults: Set<FaultName>
}

/** A runtime that says nothing, unless it is given a log, with faults to switch and a clock to move. */
export function createTestRuntime(log: Log = createLog({ level: 'silent' })): TestRuntime {
  let offset = 0
  const activeFaults = new Set<FaultName>()
  const milliseconds = () => Date.now() + offset * 1000
  return {
    ...createRuntime({
      log,
      clock: { milliseconds, seconds: () => Math.floor(milliseconds() / 1000) },
      faults: { isActive: (name) => activeFaults.has(name) },
    }),
    activeFaults,
    advance(seconds) {
      offset += seconds
    },
  }
}
