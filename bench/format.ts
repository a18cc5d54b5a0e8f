import type { Figure, Table } from './harness.ts'

const marks: Readonly<Record<string, string>> = {
  true: 'holds ',
  false: 'MISSED',
  undefined: 'shown ',
}

/** A figure as lines for a terminal. */
export const formatFigure = (figure: Figure): readonly string[] => [
  `  ${marks[String(figure.holds)]}  ${figure.what}: ${figure.target}`,
  `          ours  ${figure.ours}`,
  ...(figure.peer === undefined ? [] : [`          peer  ${figure.peer}`]),
]

/** A table as lines for a terminal. */
export function formatTable({ title, columns, rows }: Table): readonly string[] {
  const widths = columns.map((_, column) =>
    Math.max(...[columns, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()
  return ['', `  ${title}`, line(columns), ...rows.map(line)]
}

/** The text with a capital as its first letter. */
export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
