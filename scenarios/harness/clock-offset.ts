export interface ClockReading {
  /** The local time in seconds, with a fraction, right before asking. */
  readonly asked: number
  /** The same, right after the answer. */
  readonly answered: number
  /** The answer: whole seconds. */
  readonly now: number
  /** The offset that was known before. */
  readonly known: number
}

/**
 * By how many seconds another clock is ahead of the local one. It tells whole seconds alone, and a
 * second may end between question and answer; an offset that was known stays while it fits, so that
 * it does not flicker, and otherwise the later one is taken: a clock that is a second behind would
 * have things happen before what they rest on.
 */
export function clockOffset({ asked, answered, now, known }: ClockReading): number {
  const most = now - Math.floor(asked)
  const least = now - Math.floor(answered)
  return least <= known && known <= most ? known : most
}
