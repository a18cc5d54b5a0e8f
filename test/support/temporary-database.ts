import { DatabaseSync } from 'node:sqlite'
import { createTemporaryFolder } from './temporary-folder.ts'

/** Address of an embedded database in a file of its own, which goes away with the running test. */
export function temporaryDatabase(): string {
  return `sqlite:${createTemporaryFolder()}/database.sqlite`
}

/** Everything that stands in the tables of such a database, as text. */
export function dumpDatabase(databaseUrl: string): string {
  const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { readOnly: true })
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
  const rows = tables.map(({ name }) => database.prepare(`select * from "${name}"`).all())
  database.close()
  return JSON.stringify(rows)
}
