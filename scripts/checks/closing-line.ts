export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The plain last line of every run, which scripts read. */
export const closingLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`
