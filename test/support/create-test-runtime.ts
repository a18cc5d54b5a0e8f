import { createLog, type Log } from '#kit/log.ts'
import { createRuntime, type FaultName, type Runtime } from '#kit/runtime.ts'

export interface TestRuntime extends Runtime {
  /** Moves this runtime's clock. */
  advance(seconds: number): void
  readonly activeFaults: Set<FaultName>
}

/**
 * A runtime with faults to switch and a clock to move.
 *
 * @param options.log where it tells what happens: nowhere, unless it is given
 * @param options.now Unix milliseconds, before they are moved
 */
export function createTestRuntime(options: { log?: Log; now?: () => number } = {}): TestRuntime {
  const { log = createLog({ level: 'silent' }), now = Date.now } = options
  let offset = 0
  const activeFaults = new Set<FaultName>()
  const milliseconds = () => now() + offset * 1000
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

/** A runtime whose clock stands still unless it is moved: how slow the machine is changes no time. */
export function createStandingRuntime(): TestRuntime {
  const began = Date.now()
  return createTestRuntime({ now: () => began })
}
