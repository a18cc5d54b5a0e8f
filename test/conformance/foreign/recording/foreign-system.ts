import type { PlanName } from '#conformance/kit/check.ts'

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

/** A program in another language, with its own package manager. */
export interface ForeignProgram {
  /** Commands that install and run it. */
  readonly needs: readonly string[]
  /** The file in the system's folder that pins its version, and the text before the version. */
  readonly pin: readonly [file: string, before: string]
  /** Command lines that install it in `.cache` in the system's folder. */
  readonly install: readonly string[]
}

/** A system built from third-party code. */
export interface ForeignSystem {
  /** Its folder, next to this one. */
  readonly name: string
  readonly language: string
  /** The packages whose versions the record names, or the name of its program. */
  readonly packages: readonly string[]
  /** Whether they are installed separately, in a folder that is created for the run. */
  readonly hasOwnPackages?: true
  readonly program?: ForeignProgram
  /** The plan that tests it. */
  readonly plan: PlanName
  /** By default `target.yaml` in its folder. */
  readonly targetFile?: string
  readonly notes: readonly Note[]
}
