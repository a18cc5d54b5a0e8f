import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const clausesFile = join(import.meta.dirname, '..', '..', 'docs', 'coverage', 'clauses.tsv')

let titles: ReadonlyMap<string, string> | undefined

/**
 * The clauses of standards that checks may cite, each looked up in its final text: its title by
 * `OpenID4VCI 1.0, 8.3.1.2`, empty where the clause goes by its title alone. Read once.
 */
export function readClauseTitles(): ReadonlyMap<string, string> {
  titles ??= new Map(
    readFileSync(clausesFile, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([specification, clause, title = '']) => [`${specification}, ${clause}`, title]),
  )
  return titles
}
