/** Something to mend in a target file. */
export interface TargetProblem {
  /** Where the value is; of what is missing or unknown, where it would be. */
  readonly path: readonly PropertyKey[]
  /** Whether the member's name is meant, and not its value. */
  readonly isName?: boolean
  /** What is wrong, in a few words. */
  readonly message: string
  /** What to write instead. */
  readonly advice?: string
}

/** A path as people write it: `adapter.accept-offer`, `accepted[1]`. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
