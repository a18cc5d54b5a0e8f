import { type Change, type ChangeKind, changeKinds, type Difference } from './create-difference.ts'
import { formatDuration } from './format-duration.ts'

/** What kinds of change are called, in the order of their urgency. */
export const changeNames: Readonly<Record<ChangeKind, string>> = {
  'newly-failing': 'newly failing',
  mended: 'mended',
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

/** Said where the two runs were not asked for the same scenarios. */
export const otherSelection = 'The two runs were not asked for the same scenarios.'
