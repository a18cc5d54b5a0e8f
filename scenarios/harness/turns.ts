/** What happens around each scenario that has the testbed for itself. Neither rejects. */
export interface Turns {
  begin(): Promise<void>
  /** Puts the testbed right again, whatever the scenario left behind. */
  end(): Promise<void>
}

/** Gives what is told of something that could not be put right. */
export type Warn = (what: string) => (error: unknown) => void
