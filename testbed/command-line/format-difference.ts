import { styleText } from 'node:util'
import {
  type Change,
  type ChangeKind,
  changeNames,
  countChanges,
  type Difference,
  describeChange,
  groupChanges,
  otherSelection,
} from '#scenarios/reports/create-difference.ts'

type Style = Parameters<typeof styleText>[0]

const styles: Readonly<Record<ChangeKind, Style>> = {
  'newly-failing': 'red',
  'newly-warned': 'yellow',
  undecided: 'cyan',
  mended: 'green',
  decided: 'green',
  failing: 'red',
  slower: 'yellow',
  'not-finished': 'yellow',
  new: 'cyan',
  gone: 'gray',
}

/** What changed between two runs, for people: the urgent first, one change a line. */
export function formatDifference(difference: Difference, stream: NodeJS.WriteStream): string {
  // styleText leaves colours out where the stream is no terminal, and honours NO_COLOR.
  const paint = (style: Style, text: string) => styleText(style, text, { stream })
  const line = (change: Change) => {
    const said = describeChange(change)
    return `  ${change.id}  ${paint('dim', change.title)}${said === '' ? '' : `  ${said}`}`
  }
  const groups = groupChanges(difference).flatMap(({ kind, changes, more }) => [
    '',
    paint(styles[kind], changeNames[kind]),
    ...changes.map(line),
    ...(more > 0 ? [paint('dim', `  and ${more} more, which --json tells`)] : []),
  ])
  const { before, after, isSameSelection } = difference
  return [
    `${after.startedAt} against ${before.startedAt}: ${countChanges(difference)}`,
    ...(isSameSelection ? [] : [paint('yellow', otherSelection)]),
    ...groups,
    '',
  ].join('\n')
}
