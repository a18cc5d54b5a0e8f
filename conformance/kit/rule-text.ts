import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const rowsFile = join(import.meta.dirname, '..', '..', 'docs', 'coverage', 'rows.tsv')

let texts: ReadonlyMap<string, string> | undefined

/** Reads the rows of the documents once, for all checks. */
function readRows(): ReadonlyMap<string, string> {
  texts ??= new Map(
    readFileSync(rowsFile, 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([id = '', text = '']) => [id, text]),
  )
  return texts
}

/**
 * The text of a row of the documents, word for word.
 * @throws TypeError where there is no such row
 */
export function ruleText(row: string): string {
  const text = readRows().get(row)
  if (text === undefined) throw new TypeError(`The documents have no row ${row}`)
  return text
}
