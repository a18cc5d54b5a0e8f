/** One measurement, found by its file's name: `bench/measurements/NAME.ts` exports `measurement`. */
export interface Measurement {
  /** What one operation is, and what the peer is. */
  readonly title: string
  /**
   * Sets up both sides, measures them in this process, and tears them down again.
   * @param say tells a waiting person what is going on (standard error)
   */
  measure(say: (line: string) => void): Promise<readonly Figure[]>
}

/** One line of the result table. */
export interface Figure {
  readonly what: string
  /** With its unit, for example `212 issuances/s`. */
  readonly ours: string
  /** The peer and its figure; absent where there is none to hold the figure against. */
  readonly peer?: string
  /** For example `2.31 x, at least 1.5 x`. */
  readonly target: string
  readonly holds: boolean
}
