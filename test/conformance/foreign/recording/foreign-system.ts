import type { Observed } from './z-record.ts'

export interface RunOptions {
  /** Holds the programs and what they are made of. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Why a system fails checks or is warned by them. */
export interface Note {
  readonly checks: readonly string[]
  /**
   * `dialect`: it follows a different revision from the profile. `defect`: it breaks a rule that it
   * knows. `left out`: its packages leave that to their users, and the glue does not do it.
   */
  readonly cause: 'dialect' | 'defect' | 'left out'
  readonly text: string
}

/** A system built from third-party code. */
export interface ForeignSystem {
  /** Its folder, next to this one. */
  readonly name: string
  /** The packages whose versions the record names. */
  readonly packages: readonly string[]
  /** Whether they are installed for it alone, in a folder that is made for the run. */
  readonly hasOwnPackages?: true
  readonly notes: readonly Note[]
  run(options: RunOptions): Promise<Observed>
}
