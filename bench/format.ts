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

const escapeCell = (cell: string) => cell.replaceAll('|', '\\|')
const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`

const table = (columns: readonly string[], rows: readonly (readonly string[])[]) => [
  line(columns),
  line(columns.map(() => '---')),
  ...rows.map(line),
]

const verdicts: Readonly<Record<string, string>> = { true: 'yes', false: 'no', undefined: '' }

/** The results of a measurement as Markdown. */
export function describeResult(parts: readonly (Figure | Table)[]): string {
  const figures = parts.filter((part): part is Figure => !('columns' in part))
  const rows = figures.map(({ what, ours, peer = '', target, holds }) => [
    what,
    ours,
    peer,
    target,
    verdicts[String(holds)] ?? '',
  ])
  const tables = parts.filter((part): part is Table => 'columns' in part)
  return [
    ...(rows.length > 0 ? table(['what', 'testbed', 'peer', 'ratio', 'holds'], rows) : []),
    ...tables.flatMap(({ title, columns, rows }) => [
      '',
      `### ${capitalize(title)}`,
      '',
      ...table(columns, rows),
    ]),
  ]
    .join('\n')
    .trimStart()
}

const begin = (name: string) => `<!-- bench: ${name} -->`
const end = '<!-- /bench -->'

/** Replaces the section of one measurement in the page, or adds it at the end. */
export function replaceSection(page: string, name: string, text: string): string {
  const section = `${begin(name)}\n\n${text}\n\n${end}`
  const from = page.indexOf(begin(name))
  if (from < 0) return `${page.trimEnd()}\n\n${section}\n`
  const to = page.indexOf(end, from)
  return page.slice(0, from) + section + page.slice(to + end.length)
}
