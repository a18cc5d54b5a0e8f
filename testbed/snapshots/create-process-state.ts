import type { Gate } from './create-gate.ts'
import type { KeeperRegistry } from './create-keeper-registry.ts'

/** What the services of one process keep, as whoever coordinates snapshots handles it. */
export interface ProcessState {
  /**
   * Holds requests from outside and waits for those under way and what they set off, for so many
   * milliseconds at most.
   */
  hold(limitMilliseconds: number): Promise<void>
  save(name: string): Promise<void>
  /** Ends what is under way still, and puts back what was saved. */
  restore(name: string): Promise<void>
  forget(name: string): Promise<void>
  /** Lets requests in again. */
  release(): Promise<void>
}

/** The state of the services in this process, which stand behind the gate. */
export function createProcessState(gate: Gate, keepers: KeeperRegistry): ProcessState {
  const settle = async () => {
    do {
      await gate.idle()
      await keepers.settled()
    } while (!gate.isIdle)
  }
  return {
    async hold(limitMilliseconds) {
      gate.hold()
      const limit = Promise.withResolvers<void>()
      const timer = setTimeout(limit.resolve, limitMilliseconds)
      await Promise.race([settle(), limit.promise])
      clearTimeout(timer)
    },
    save(name) {
      gate.holdAll()
      return keepers.save(name)
    },
    async restore(name) {
      gate.holdAll()
      gate.cut()
      await keepers.restore(name)
    },
    forget: keepers.forget,
    async release() {
      gate.release()
    },
  }
}
