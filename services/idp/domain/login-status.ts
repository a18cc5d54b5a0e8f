import type { LoginTable } from '../tables.ts'

/**
 * How a verification session stands now (document 1, Verification session). A session that is past
 * its lifetime has failed, whatever comes later.
 *
 * @assumption A-31
 * @row 1.resources-and-their-fields/verification-session.2
 */
export function loginStatus(
  { status, expires_at }: Pick<LoginTable, 'status' | 'expires_at'>,
  now: number,
): 'PENDING' | 'SUCCESS' | 'FAILED' {
  return status === 'PENDING' && expires_at <= now ? 'FAILED' : status
}
