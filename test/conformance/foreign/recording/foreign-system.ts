import type { RecordedFinding } from './z-record.ts'

/** A system that somebody else wrote, or that is made of what somebody else wrote. */
export interface ForeignSystem {
  /** Its folder beside this one. */
  readonly name: string
  /** The packages whose versions the record names. */
  readonly packages: readonly string[]
  /** Where they are installed, relative to the folder; by default with the project's own. */
  readonly installedIn?: string
  /** Runs what the kit has for it; only checks whose id or name the pattern fits. */
  run(options: {
    readonly signal: AbortSignal
    readonly pattern?: string
  }): Promise<readonly RecordedFinding[]>
}
