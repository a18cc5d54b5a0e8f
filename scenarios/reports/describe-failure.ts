import type { Failure } from '#scenarios/harness/z-results.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'

const mostCharacters = 20_000

const toText = (value: unknown) => {
  const text =
    typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'nothing')
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}

/** How what was found differs from what was expected; undefined where the failure names neither. */
export function describeFailure({ expected, actual }: Failure): DiffLine[] | undefined {
  if (expected === undefined && actual === undefined) return undefined
  if (expected === undefined) {
    return toText(actual)
      .split('\n')
      .map((text) => ({ kind: 'found', text }))
  }
  return diffLines(toText(expected), toText(actual))
}

const signs = { expected: '-', found: '+', both: ' ' } as const

/** A difference as text, as `diff` prints it. */
export const formatDiff = (lines: readonly DiffLine[]): string =>
  lines.map(({ kind, text }) => `${signs[kind]} ${text}`).join('\n')
