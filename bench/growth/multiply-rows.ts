import type { DatabaseSync } from 'node:sqlite'

const quote = (name: unknown) => `"${String(name).replaceAll('"', '""')}"`

/** The columns of all unique indexes and of the primary key, which differ in each copy. */
function uniqueColumnsOf(database: DatabaseSync, table: string): ReadonlySet<unknown> {
  const columns = new Set<unknown>()
  for (const { name, pk } of database.prepare(`pragma table_info(${quote(table)})`).all()) {
    if (pk) columns.add(name)
  }
  for (const index of database.prepare(`pragma index_list(${quote(table)})`).all()) {
    if (!index.unique) continue
    const parts = database.prepare(`pragma index_info(${quote(index.name)})`).all()
    for (const { name } of parts) columns.add(name)
  }
  return columns
}

/**
 * Fills a table up to a number of rows with copies of its last row: text of unique columns gets a
 * suffix, numbers continue after the greatest one. An empty table stays empty.
 */
export function multiplyRows(database: DatabaseSync, table: string, rows: number): void {
  const unique = uniqueColumnsOf(database, table)
  const columns = database.prepare(`pragma table_info(${quote(table)})`).all()
  const values = columns.map(({ name }) => {
    const column = `model.${quote(name)}`
    if (!unique.has(name)) return column
    return `case typeof(${column}) when 'text' then ${column} || '-' || i
      when 'integer' then (select max(${quote(name)}) from ${quote(table)}) + i else ${column} end`
  })
  const { count } = database.prepare(`select count(*) as count from ${quote(table)}`).get() ?? {}
  const missing = rows - Number(count)
  if (missing <= 0 || count === 0) return
  database.exec(
    `with recursive numbers (i) as (
      select 1 union all select i + 1 from numbers where i < ${missing}
    ), model as (select * from ${quote(table)} order by rowid desc limit 1)
    insert into ${quote(table)} select ${values.join(', ')} from model, numbers`,
  )
}
