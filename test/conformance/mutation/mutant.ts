import type { PlanName } from '#scenarios/conformance/define-check.ts'

/** One change of a source file, made when it is loaded. */
export interface Patch {
  /** Relative to the repository. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  /**
   * What stands there instead. `isMutant` in it says whether this mutant is the active one; without
   * it the part would be another for all of them.
   */
  readonly replace: string
}

/** The testbed's own part with one deviation, which a check has to catch. */
export interface Mutant {
  /** Id of the check that has to catch it. */
  readonly check: string
  /** What the part does wrong, to follow its name: `takes presentations of another audience`. */
  readonly deviation: string
  /** Rules by name that the rule engine finds nothing wrong with. */
  readonly ignoresRules?: readonly string[]
  readonly patches?: readonly Patch[]
  /**
   * Changes of the contracts, for what the chain itself judges; only where the chain runs in this
   * process. `isMutant` can't stand in a pure function.
   */
  readonly contract?: readonly Patch[]
}

/** A mutant and where it belongs. */
export interface LoadedMutant extends Mutant {
  /** Its file's name, which begins with the check's id. */
  readonly name: string
  readonly plan: PlanName
}
