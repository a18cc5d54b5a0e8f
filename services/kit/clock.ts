/** The one source of time for our code, so that a test or an operator can move it. */
export interface Clock {
  /** Unix time in whole seconds. */
  seconds(): number
  /** Unix time in milliseconds. */
  milliseconds(): number
}

/** Reads `Date`, which a testbed with a control interface may have moved for everyone at once. */
export const systemClock: Clock = {
  seconds: () => Math.floor(Date.now() / 1000),
  milliseconds: () => Date.now(),
}
