import { type Change, type ChangeKind, changeKinds, type Difference } from './create-difference.ts'
import { formatDuration } from './format-duration.ts'

/** What kinds of change are called, in the order of their urgency. */
export const changeNames: Readonly<Record<ChangeKind, string>> = {
  'newly-failing': 'newly failing',
  'newly-warned': 'now a warning',
  undecided: 'inconclusive now',
  mended: 'mended',
  decided: 'decided now',
  failing: 'still failing',
  slower: 'slower',
  'not-finished': 'not finished now',
  new: 'new',
  gone: 'gone',
}

/** What has to be said of a change beside its kind; empty where the kind says it all. */
export function describeChange({ kind, before, after, step }: Change): string {
  if (kind === 'new') return after?.verdict === 'failed' ? 'fails' : ''
  if (kind !== 'slower' || before === undefined || after === undefined) return ''
  const [earlier, later] = [before, after].map((each) => formatDuration(each.durationMilliseconds))
  const most = step === undefined ? '' : `, most of it at “${step.title}”`
  return `${later}, was ${earlier}${most}`
}

/** How many changes there are of each kind: `1 newly failing, 2 slower`. */
export function countChanges({ changes }: Difference): string {
  const counts = changeKinds.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length
    return count === 0 ? [] : [`${count} ${changeNames[kind]}`]
  })
  return counts.length === 0 ? 'nothing changed' : counts.join(', ')
}

export interface ChangeGroup {
  readonly kind: ChangeKind
  readonly changes: readonly Change[]
  /** How many of this kind are not among them. */
  readonly more: number
}

const mostAddedOrGone = 20

/**
 * Changes by kind, the urgent first. Of what is new or gone only the first are told: whole suites
 * come and go.
 */
export function groupChanges({ changes }: Difference): ChangeGroup[] {
  return changeKinds.flatMap((kind) => {
    const these = changes.filter((change) => change.kind === kind)
    if (these.length === 0) return []
    const isLong = kind === 'new' || kind === 'gone'
    const shown = isLong ? these.slice(0, mostAddedOrGone) : these
    return [{ kind, changes: shown, more: these.length - shown.length }]
  })
}

/** Said where the two runs were not asked for the same scenarios. */
export const otherSelection = 'The two runs were not asked for the same scenarios.'
