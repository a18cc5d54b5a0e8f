import { setTimeout as wait } from 'node:timers/promises'
import { notInTime } from '../errors.ts'

export interface EventuallyOptions {
  readonly signal: AbortSignal
  /** Default: 10 000. */
  readonly limitMilliseconds?: number
}

/**
 * Asks again and again until there is an answer, for what happens soon but not at once. `what`
 * names it: "a mail to ana@example.org".
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

/** Rejects as soon as the signal ends, whatever the work is waiting for. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    // What was cut off may still fail later; nobody waits for it any more.
    work.catch(() => {})
    aborted.catch(() => {})
  }
}

const underWay = new Map<string, Promise<unknown>>()

/**
 * Does the work after all that was begun before under the same name, and hands on its outcome. The
 * scenarios of a process write with the same accounts, whose transactions have to follow each other;
 * scenarios of other processes are met by building again.
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

/** Begins so many at once and waits for all of them. */
export function atOnce<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)))
}
