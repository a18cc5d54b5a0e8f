import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { listIssues, plainIssues } from '#core/json/plain-issues.ts'
import { parseJson } from '#core/json/read-json.ts'
import { describeFileError } from '#kit/files.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { type Results, zResults } from '#scenarios/harness/z-results.ts'
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
import { createPaint, type Style } from './terminal.ts'

/** The path of `results.json`: the given path, or the file in this folder of reports. */
export async function findResults(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isFolder ? join(path, 'results.json') : path
}

/** The results of a run, with the bytes of their file. */
export interface ResultsFile {
  readonly results: Results
  readonly resultsJson: Uint8Array
}

/**
 * Reads the results of a run from a `results.json` or from a folder of reports.
 * @throws TestbedError `invalid_option` if there are none
 */
export async function readResultsFile(path: string): Promise<ResultsFile> {
  const file = await findResults(path)
  const refuse = (problem: string, cause?: unknown): never => {
    throw wrongUsage(
      `${file} does not contain the results of a run: ${problem}.`,
      ['Specify the folder that `run` or `conformance` wrote with --report.'],
      cause,
    )
  }
  try {
    const resultsJson = await readFile(file)
    const value = parseJson(resultsJson.toString('utf8'))
    if (value === undefined) return refuse('it is not valid JSON')
    const parsed = zResults.safeParse(value, plainIssues)
    return parsed.success ? { results: parsed.data, resultsJson } : refuse(listIssues(parsed.error))
  } catch (cause) {
    if (cause instanceof TestbedError) throw cause
    return refuse(describeFileError(cause) ?? (cause as Error).message, cause)
  }
}

/** The results in a file or folder that `readResultsFile` reads, with the same error. */
export const readResults = async (path: string): Promise<Results> =>
  (await readResultsFile(path)).results

const styles: Readonly<Record<ChangeKind, Style>> = {
  'newly-failing': 'red',
  'newly-warned': 'yellow',
  undecided: 'cyan',
  fixed: 'green',
  decided: 'green',
  failing: 'red',
  slower: 'yellow',
  'not-finished': 'yellow',
  new: 'cyan',
  gone: 'gray',
}

/** Formats the changes between two runs for people: the most urgent first, one change per line. */
export function formatDifference(difference: Difference, stream: NodeJS.WriteStream): string {
  const paint = createPaint(stream)
  const line = (change: Change) => {
    const said = describeChange(change)
    return `  ${change.id}  ${paint('dim', change.title)}${said === '' ? '' : `  ${said}`}`
  }
  const groups = groupChanges(difference).flatMap(({ kind, changes, more }) => [
    '',
    paint(styles[kind], changeNames[kind]),
    ...changes.map(line),
    ...(more > 0 ? [paint('dim', `  and ${more} more; --json prints all`)] : []),
  ])
  const { before, after, isSameSelection } = difference
  return [
    `${after.startedAt} against ${before.startedAt}: ${countChanges(difference)}`,
    ...(isSameSelection ? [] : [paint('yellow', otherSelection)]),
    ...groups,
    '',
  ].join('\n')
}
