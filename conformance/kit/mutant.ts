import type { PlanName } from './check.ts'

/**
 * One change of a source file, made when the file is loaded. The text to find occurs exactly
 * once in the file. In TypeScript, `isMutant` in added code says whether this mutant is active.
 */
export type Patch = {
  readonly file: string
} /** The change in wdiff notation: deletions as `[-…-]`, insertions as `{+…+}`. */ & (
  | { readonly edit: string }
  | { readonly find: string; readonly replace: string }
  /** The condition is false for the mutant, or false only if `when` is true as well. */
  | { readonly never: string; readonly when?: string }
  /** The condition is true for the mutant, or true only if `when` is true as well. */
  | { readonly always: string; readonly when?: string }
)

/** Several edits of one file. */
interface Edits {
  readonly file: string
  readonly edits: readonly string[]
}

/** The testbed's own part with one deviation, which a check must detect. */
type Mutant = MutantTexts & (object | Patch | Edits)

interface Deviation {
  /** What the part does wrong, to follow its name: `accepts presentations for another audience`. */
  readonly deviation: string
  /** Names of rules that the rule engine treats as passed. */
  readonly ignoresRules?: readonly string[]
}

interface MutantTexts extends Deviation {
  /** Set if more than one file changes; otherwise the mutant itself is the patch. */
  readonly patches?: readonly (Patch | Edits)[]
}

/** The mutants of a plan by name, which begins with the id of the check that must detect it. */
export type MutantTable = Readonly<Record<`${string}-${string}`, Mutant>>

/** A mutant with its plan and check. */
export interface LoadedMutant extends Deviation {
  readonly name: string
  /** Id of the check that must detect it. */
  readonly check: string
  readonly plan: PlanName
  readonly patches?: readonly Patch[]
  /**
   * Changes of the contracts, for rules that the chain itself enforces; only if the chain runs in
   * this process. A pure function cannot use `isMutant`.
   */
  readonly contract?: readonly Patch[]
}
