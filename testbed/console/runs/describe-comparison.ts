import type { Change, ChangeKind } from '#scenarios/reports/create-difference.ts'
import type { RunArchive } from './run-archive.ts'

/** What changed between two runs, the most urgent first. */
export interface Comparison {
  readonly isSameSelection: boolean
  readonly groups: readonly {
    readonly kind: ChangeKind
    readonly changes: readonly Change[]
    /** How many further ones are not listed. */
    readonly more: number
  }[]
}

/** Undefined if one of the runs has no results. */
export async function describeComparison(
  archive: RunArchive,
  before: string,
  after: string,
): Promise<Comparison | undefined> {
  const [earlier, later] = await Promise.all([before, after].map(archive.readResults))
  if (earlier === undefined || later === undefined) return undefined
  const { createDifference, groupChanges } = await import('#scenarios/reports/create-difference.ts')
  const difference = createDifference(earlier, later)
  return { isSameSelection: difference.isSameSelection, groups: groupChanges(difference) }
}
