import type { Compilable, CompiledQuery, QueryExecutorProvider, QueryResult } from 'kysely'
import type { OpenedSqlite } from '#kit/sqlite-database.ts'

/** A value that a query can take as a parameter. */
type Value = string | number | bigint | Uint8Array | null | undefined

/** A query that is built and compiled once, and executed with different values. */
export interface PreparedQuery<Values, Row> {
  /** Returns all rows. */
  all(values: Values, on?: QueryExecutorProvider): Promise<Row[]>
  /** Returns the first row; undefined if there is none. */
  first(values: Values, on?: QueryExecutorProvider): Promise<Row | undefined>
  /** Returns the number of rows that the query inserted, updated or deleted. */
  change(values: Values, on?: QueryExecutorProvider): Promise<number>
}

/** A database, perhaps with a way to execute a statement without waiting for the connection. */
type Preparing = QueryExecutorProvider & Partial<Pick<OpenedSqlite, 'executeNow'>>

/** Represents a value while a query is built; using it in any other way is a mistake. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  /** For string templates, operators and JSON, which would compile one value into the query. */
  [Symbol.toPrimitive](): never {
    throw new TypeError(`a prepared query cannot depend on the value of ${this.name}`)
  }

  toJSON(): never {
    return this[Symbol.toPrimitive]()
  }
}

/**
 * Prepares a query for a hot path: building and compiling it takes longer than many statements.
 * `build` runs at the first execution, and again for values with other names, since undefined
 * values are absent for it. It gets a placeholder for each value, so it may only pass them on. The
 * queries run on `database`, or on the transaction that an execution names.
 */
export function prepareQuery<Values extends { readonly [Name in keyof Values]: Value }, Row>(
  database: Preparing,
  build: (values: Values) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const compiled = new Map<string, CompiledQuery<Row>>()

  const compile = (names: string): CompiledQuery<Row> => {
    const known = compiled.get(names)
    if (known !== undefined) return known
    const placeholders = names.split(' ').map((name) => [name, new Placeholder(name)])
    const query = build(Object.fromEntries(placeholders)).compile()
    compiled.set(names, query)
    return query
  }

  const execute = async (values: Values, on: Preparing = database): Promise<QueryResult<Row>> => {
    let names = ''
    for (const name in values) {
      if (values[name] !== undefined) names += names === '' ? name : ` ${name}`
    }
    const query = compile(names)
    const executor = on.getExecutor()
    // Plugins admit or reject a query before it runs; this one is compiled, so they cannot change it.
    executor.transformQuery(query.query, query.queryId)
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    const result = on.executeNow?.(query.sql, parameters) as QueryResult<Row> | undefined
    return result ?? executor.executeQuery({ ...query, parameters })
  }

  return {
    all: async (values, on) => (await execute(values, on)).rows,
    first: async (values, on) => (await execute(values, on)).rows[0],
    change: async (values, on) => Number((await execute(values, on)).numAffectedRows ?? 0n),
  }
}
