import type { Clock } from '#kit/clock.ts'

const everySeconds = 60

/**
 * A purge of old rows that is called with every write and runs once a minute at most. It also runs
 * where the clock has been set back.
 * @param purge gets the time now in Unix seconds
 */
export function createPurge(clock: Clock, purge: (now: number) => Promise<unknown>) {
  let purgedAt = 0
  return async function purgeAtTimes(): Promise<void> {
    const now = clock.seconds()
    if (Math.abs(now - purgedAt) < everySeconds) return
    purgedAt = now
    await purge(now)
  }
}
