import type { PlanName } from '#conformance/kit/check.ts'

/**
 * One change of a source file, made when the file is loaded. The text to look for occurs exactly
 * once in the file. In TypeScript, `isMutant` in a replacement says whether this mutant is active.
 */
export type Patch = { readonly file: string } & (
  | { readonly find: string; readonly replace: string }
  /** The condition is false for the mutant, or false only `when` this holds as well. */
  | { readonly never: string; readonly when?: string }
  /** The condition is true for the mutant, or true only `when` this holds as well. */
  | { readonly always: string; readonly when?: string }
  | { readonly before: string; readonly insert: string }
  | { readonly after: string; readonly insert: string }
)

/** The testbed's own part with one deviation, which a check has to catch. */
type Mutant = Deviation | (Deviation & Patch)

interface Deviation {
  /** What the part does wrong, to follow its name: `takes presentations of another audience`. */
  readonly deviation: string
  /** Rules by name that the rule engine finds nothing wrong with. */
  readonly ignoresRules?: readonly string[]
  /** Where one patch, written into the mutant itself, is not enough. */
  readonly patches?: readonly Patch[]
  /**
   * Changes of the contracts, for what the chain itself judges; only where the chain runs in this
   * process. `isMutant` can't stand in a pure function.
   */
  readonly contract?: readonly Patch[]
}

/** The mutants of a plan by name, which begins with the id of the check that has to catch it. */
export type MutantTable = Readonly<Record<`${string}-${string}`, Mutant>>

/** A mutant and where it belongs. */
export interface LoadedMutant extends Deviation {
  readonly name: string
  /** Id of the check that has to catch it. */
  readonly check: string
  readonly plan: PlanName
}

/** What to look for in the file, and what replaces it. */
export function readPatch(patch: Patch): { find: string; replace: string } {
  if ('find' in patch) return patch
  if ('before' in patch) return { find: patch.before, replace: patch.insert + patch.before }
  if ('after' in patch) return { find: patch.after, replace: patch.after + patch.insert }
  const active = patch.when === undefined ? 'isMutant' : `(isMutant && ${patch.when})`
  return 'never' in patch
    ? { find: patch.never, replace: `(${patch.never} && !${active})` }
    : { find: patch.always, replace: `(${patch.always} || ${active})` }
}
