import { setTimeout as wait } from 'node:timers/promises'
import { notInTime } from '#scenarios/errors.ts'

export interface EventuallyOptions {
  readonly signal: AbortSignal
  /** Default: 10 000. */
  readonly limitMilliseconds?: number
}

/**
 * Polls until there is an answer, for results that take a short time. `what` names the result: "the
 * confirmation for ana@example.org".
 * @throws TestbedError `not_in_time`
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  { signal, limitMilliseconds = 10_000 }: EventuallyOptions,
): Promise<T> {
  const end = performance.now() + limitMilliseconds
  do {
    const answer = await ask()
    if (answer !== undefined) return answer
    await wait(50, undefined, { signal })
  } while (performance.now() < end)
  throw notInTime(what, limitMilliseconds)
}

export interface PollOptions<Value> {
  /** Asks one time. */
  readonly ask: () => Promise<Value>
  readonly isDone: (value: Value) => boolean
  /** The time limit in milliseconds. */
  readonly limitMilliseconds: number
  readonly signal: AbortSignal
}

const shortestPause = 50
const longestPause = 1000

/**
 * Asks until the answer is the expected one or the time is over, with growing pauses, so that a
 * fast system causes no delay and a slow one is not flooded. Returns the last answer.
 */
export async function pollUntil<Value>(options: PollOptions<Value>): Promise<Value> {
  const { ask, isDone, limitMilliseconds, signal } = options
  const ends = performance.now() + limitMilliseconds
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const value = await ask()
    if (isDone(value) || performance.now() + pause > ends) return value
    // No event is available to an external client.
    await wait(pause, undefined, { signal })
  }
}

/** Rejects as soon as the signal aborts, even if the work is still waiting. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    // Aborted work may still fail later, when no caller waits for it.
    work.catch(() => {})
    aborted.catch(() => {})
  }
}

const underWay = new Map<string, Promise<unknown>>()

/**
 * Runs the work after all earlier work of the same name, and returns its result. The scenarios of a
 * process write with the same accounts, whose transactions must follow each other; collisions with
 * other processes are resolved by building the transaction again.
 */
export async function takeTurns<T>(name: string, work: () => Promise<T>): Promise<T> {
  const mine = (underWay.get(name) ?? Promise.resolve()).then(work)
  const settled = mine.catch(() => {})
  underWay.set(name, settled)
  try {
    return await mine
  } finally {
    if (underWay.get(name) === settled) underWay.delete(name)
  }
}

/** Runs the work with this concurrency and waits for all of it. */
export function atOnce<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)))
}
