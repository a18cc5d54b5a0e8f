import { type Expression, expressionBuilder, type SqlBool } from 'kysely'

const longestPauseMilliseconds = 60_000

/**
 * The pause after this many failed attempts, in milliseconds: the first one, then twice as long
 * each time, at most a minute.
 */
export function pauseAfter(attempts: number, firstMilliseconds: number): number {
  return Math.min(firstMilliseconds * 2 ** Math.min(attempts - 1, 20), longestPauseMilliseconds)
}

/** The bounds of {@link isDue}, in Unix milliseconds. */
export type DueTimes = { readonly now: number; readonly latest: number }

export const dueAt = (now: number): DueTimes => ({
  now,
  // A time further ahead than any pause was planned before the clock went back.
  latest: now + longestPauseMilliseconds,
})

/** Selects the rows to attempt: those planned until `now`, or after `latest`. */
export function isDue({ now, latest }: DueTimes): Expression<SqlBool> {
  const row = expressionBuilder<{ attempts: { next_attempt_at: number } }, 'attempts'>()
  return row.or([row('next_attempt_at', '<=', now), row('next_attempt_at', '>', latest)])
}

/** Keeps work in a set until it ends, so that a caller can wait for it. */
export function track(underWay: Set<Promise<unknown>>, work: Promise<unknown>): void {
  underWay.add(work)
  work.finally(() => underWay.delete(work))
}
