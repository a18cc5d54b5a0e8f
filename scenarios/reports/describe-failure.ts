import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Failure, ScenarioResult } from '#scenarios/harness/z-results.ts'

const mostCharacters = 20_000

const toText = (value: unknown) => {
  const text =
    typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'nothing')
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}

/** Several values that are allowed, in place of one. */
const expectedText = (expected: unknown, actual: unknown) =>
  Array.isArray(expected) && expected.length > 0 && !Array.isArray(actual)
    ? expected.map(toText).join(' or ')
    : toText(expected)

/** The difference between expected and actual; undefined if the failure has neither. */
export function describeFailure({ expected, actual }: Failure): DiffLine[] | undefined {
  if (expected === undefined && actual === undefined) return undefined
  if (expected === undefined) {
    return toText(actual)
      .split('\n')
      .map((text) => ({ kind: 'found', text }))
  }
  return diffLines(expectedText(expected, actual), toText(actual))
}

const longestValue = 200

/**
 * The difference in one line each, for outputs without room for more: only if the message does not
 * quote what was found.
 */
export function describeValues(failure: Failure | undefined): string[] {
  const { message = '', expected, actual } = failure ?? {}
  // The sentence around a status or a count says what it is.
  if (expected === undefined || actual === undefined || typeof actual === 'number') return []
  const [wanted, found] = [expectedText(expected, actual), toText(actual)]
  const isShort = [wanted, found].every((text) => text.length <= longestValue && !/\n/.test(text))
  // Two masked values look alike.
  if (!isShort || found === '' || found === wanted || message.includes(found)) return []
  return [`Expected value: ${wanted}`, `Found value: ${found}`]
}

const signs = { expected: '-', found: '+', both: ' ' } as const

/** A difference as text, in the format of `diff`. */
export const formatDiff = (lines: readonly DiffLine[]): string =>
  lines.map(({ kind, text }) => `${signs[kind]} ${text}`).join('\n')

/** A line of a difference: only expected, only found, or both. */
export interface DiffLine {
  readonly kind: 'expected' | 'found' | 'both'
  readonly text: string
}

const mostLines = 500

/** Lengths of the longest common subsequence of the rests from (i, j). */
function measureCommon(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--) {
    const [row, below] = [lengths[i] as Uint16Array, lengths[i + 1] as Uint16Array]
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] =
        before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}

const all = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ kind, text }))

/**
 * Compares two strings line by line: the expected and the actual. Very long ones are listed one
 * after the other.
 */
export function diffLines(expected: string, found: string): DiffLine[] {
  const [before, after] = [expected.split('\n'), found.split('\n')]
  if (before.length > mostLines || after.length > mostLines) {
    return [...all('expected', before), ...all('found', after)]
  }
  const lengths = measureCommon(before, after)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    const text = before[i] as string
    if (text === after[j]) {
      lines.push({ kind: 'both', text })
      i += 1
      j += 1
    } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) {
      lines.push({ kind: 'expected', text })
      i += 1
    } else {
      lines.push({ kind: 'found', text: after[j] as string })
      j += 1
    }
  }
  return [...lines, ...all('expected', before.slice(i)), ...all('found', after.slice(j))]
}

/** A place in a scenario's source; empty if it is not known. */
export interface SourcePlace {
  /** Relative to the working directory. */
  readonly file?: string
  /** From 1. */
  readonly line?: number
  readonly column?: number
}

// Takes linear time: a stack begins with the message, which may be long.
const frame = /^[ \t]+at (?:async )?(?:[^(\n]*\()?(.+\.[cm]?[jt]sx?):(\d+):(\d+)\)?[ \t]*$/gm
const ofSuites = /(?:scenarios\/suites|conformance\/plans)\/[\w./-]+$/
const ofPackage = join(import.meta.dirname, '../..', sep)

/** A file of a stack: the path of an ES module is a URL. */
function pathOf(place: string): string {
  try {
    return place.startsWith('file://') ? fileURLToPath(place) : place
  } catch {
    return place
  }
}

/**
 * Where in its source a scenario failed, from the stack: the innermost place in a suite or in the
 * scenario's file, which is where the scenario called the failing function. Without one, the file
 * from which it was loaded. A scenario that was not loaded from a file: the innermost place outside
 * this package.
 */
export function locateFailure({
  file,
  failure,
}: Pick<ScenarioResult, 'file' | 'failure'>): SourcePlace {
  const end = file?.replace(/^(\.\.\/)*/, '/')
  const fileOf = (path: string) => {
    const [place] = ofSuites.exec(path.replaceAll('\\', '/')) ?? []
    if (place !== undefined) return place
    if (end !== undefined) return path.replaceAll('\\', '/').endsWith(end) ? file : undefined
    const isForeign = path.startsWith(ofPackage) || /[\\/]node_modules[\\/]/.test(path)
    return isForeign ? undefined : relative(process.cwd(), path).replaceAll('\\', '/')
  }
  for (const [, place = '', line, column] of (failure?.stack ?? '').matchAll(frame)) {
    const found = fileOf(pathOf(place))
    if (found !== undefined) return { file: found, line: Number(line), column: Number(column) }
  }
  return file === undefined ? {} : { file }
}

/**
 * The rejections in the step in which a scenario failed, one line per broken rule: which part
 * rejected which, the rule, and the reason. Earlier rejections were intended.
 */
export function listRefusals({
  steps,
  hops,
  check,
}: Pick<ScenarioResult, 'steps' | 'hops' | 'check'>): string[] {
  // The reason of a check says what was rejected, and its steps are only its attempts.
  if (check !== undefined) return []
  const failedStep = steps.findIndex(({ verdict }) => verdict === 'failed') + 1
  const lines = hops
    .filter(({ step }) => failedStep > 0 && step === failedStep)
    .flatMap(({ from, to, rules = [] }) =>
      rules
        .filter(({ passed }) => !passed)
        .map(({ rule, reasons = [] }) =>
          [`${to} rejected a request of ${from}: ${rule}`, ...reasons].join(', '),
        ),
    )
  return [...new Set(lines)]
}
