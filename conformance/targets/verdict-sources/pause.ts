import { setTimeout as wait } from 'node:timers/promises'

/** Waits, or until the signal ends; never rejects. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {})
}
