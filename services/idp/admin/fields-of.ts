import type { Request } from 'express'

/** The fields of a form that were sent once. */
export function fieldsOf(request: Request): Readonly<Record<string, string | undefined>> {
  const fields = Object.entries((request.body ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
