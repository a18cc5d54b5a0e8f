import type { Kysely } from 'kysely'
import type { IdpTables } from '../tables.ts'
import type { Login } from './create-login-store.ts'

export interface ListLoginsOptions {
  /** Unix seconds. */
  readonly now: number
  readonly status?: 'PENDING' | 'SUCCESS' | 'FAILED' | undefined
  /** From 0. */
  readonly page: number
}

export interface LoginList {
  readonly logins: readonly Login[]
  readonly hasMore: boolean
}

const pageSize = 25

/** The verification sessions of all logins, newest first. */
export async function listLogins(
  database: Kysely<IdpTables>,
  { now, status, page }: ListLoginsOptions,
): Promise<LoginList> {
  const all = database
    .selectFrom('logins')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('session_code')
  const chosen = all.where((where) => {
    const pending = where('status', '=', 'PENDING')
    if (status === 'PENDING') return where.and([pending, where('expires_at', '>', now)])
    if (status === 'SUCCESS') return where('status', '=', 'SUCCESS')
    const expired = where.and([pending, where('expires_at', '<=', now)])
    return where.or([where('status', '=', 'FAILED'), expired])
  })
  const logins = await (status === undefined ? all : chosen)
    .limit(pageSize + 1)
    .offset(page * pageSize)
    .execute()
  return { logins: logins.slice(0, pageSize), hasMore: logins.length > pageSize }
}
