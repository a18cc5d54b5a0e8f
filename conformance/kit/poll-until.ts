import { setTimeout as sleep } from 'node:timers/promises'

export interface PollOptions<Value> {
  /** Asks once. */
  readonly ask: () => Promise<Value>
  readonly isDone: (value: Value) => boolean
  /** How long it may take, in milliseconds. */
  readonly limitMilliseconds: number
  readonly signal: AbortSignal
}

const shortestPause = 50
const longestPause = 1000

/**
 * Asks until an answer is the awaited one or the time is over, with growing pauses, so that a quick
 * system is not waited for and a slow one not stormed. Gives the last answer.
 */
export async function pollUntil<Value>(options: PollOptions<Value>): Promise<Value> {
  const { ask, isDone, limitMilliseconds, signal } = options
  const ends = performance.now() + limitMilliseconds
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const value = await ask()
    if (isDone(value) || performance.now() + pause > ends) return value
    // There is no event that a stranger could wait for.
    await sleep(pause, undefined, { signal })
  }
}
