import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, onTestFinished } from 'vitest'

const createFolder = () => mkdtempSync(join(tmpdir(), 'lear-testbed-'))
const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true })

/** A new empty folder that is removed after the running test. */
export function createTemporaryFolder(): string {
  const folder = createFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** A new empty folder that is removed after all tests of the file. */
export function shareTemporaryFolder(): string {
  const folder = createFolder()
  afterAll(() => removeFolder(folder))
  return folder
}

/** Returns the address of an embedded database in a separate file, deleted with the running test. */
export function temporaryDatabase(): string {
  return `sqlite:${createTemporaryFolder()}/database.sqlite`
}

/** Returns the contents of all tables of such a database as text. */
export function dumpDatabase(databaseUrl: string): string {
  const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { readOnly: true })
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
  const rows = tables.map(({ name }) => database.prepare(`select * from "${name}"`).all())
  database.close()
  return JSON.stringify(rows)
}
