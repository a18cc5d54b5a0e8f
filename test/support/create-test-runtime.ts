import type { FaultName } from '#kit/faults.ts'
import { createLog } from '#kit/log.ts'
import { createRuntime, type Runtime } from '#kit/runtime.ts'

export interface TestRuntime extends Runtime {
  /** Moves this runtime's clock. */
  advance(seconds: number): void
  readonly activeFaults: Set<FaultName>
}

/** A runtime that says nothing, with faults to switch and a clock to move. */
export function createTestRuntime(): TestRuntime {
  let offset = 0
  const activeFaults = new Set<FaultName>()
  const milliseconds = () => Date.now() + offset * 1000
  return {
    ...createRuntime({
      log: createLog({ level: 'silent' }),
      clock: { milliseconds, seconds: () => Math.floor(milliseconds() / 1000) },
      faults: { isActive: (name) => activeFaults.has(name) },
    }),
    activeFaults,
    advance(seconds) {
      offset += seconds
    },
  }
}
