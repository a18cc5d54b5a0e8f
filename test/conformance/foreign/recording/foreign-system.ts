import type { Observed } from './z-record.ts'

export interface RunOptions {
  /** The folder with the programs and their packages. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Why checks of a system end with FAIL or WARN. */
export interface Note {
  readonly checks: readonly string[]
  /**
   * `dialect`: it follows a different revision from the profile. `defect`: it breaks a rule that it
   * knows. `not implemented`: its packages leave that to the application, and the glue does not do it.
   */
  readonly cause: 'dialect' | 'defect' | 'not implemented'
  readonly text: string
}

/** A system built from third-party code. */
export interface ForeignSystem {
  /** Its folder, next to this one. */
  readonly name: string
  /** The packages whose versions the record names. */
  readonly packages: readonly string[]
  /** Whether they are installed separately, in a folder that is created for the run. */
  readonly hasOwnPackages?: true
  readonly notes: readonly Note[]
  run(options: RunOptions): Promise<Observed>
}
