import type { PlacedProblem } from './parse-target-file.ts'

const longestLine = 100

/** What a terminal would obey is shown as a space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const controls = /[\u0000-\u001f\u007f-\u009f]/g

/**
 * A problem as whoever mends the file needs it: FILE:LINE:COLUMN, what is wrong, the line with a
 * mark below it, and what to write instead.
 */
export function formatProblem(
  path: string,
  lines: readonly string[],
  { line, column, message, advice }: PlacedProblem,
): string {
  const text = (lines[line - 1] ?? '').replace(controls, ' ').trimEnd()
  // A long line is shown from a little before the mark.
  const from = column > longestLine - 20 ? column - 20 : 0
  const shown = text.slice(from, from + longestLine)
  const number = String(line)
  const margin = ' '.repeat(number.length)
  return [
    `${path}:${line}:${column}: ${message}`,
    `  ${number} | ${shown}`,
    `  ${margin} | ${' '.repeat(Math.max(column - 1 - from, 0))}^`,
    ...(advice === undefined ? [] : [`  ${margin} = ${advice}`]),
  ].join('\n  ')
}
