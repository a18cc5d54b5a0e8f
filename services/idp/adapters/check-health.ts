import { type Kysely, sql } from 'kysely'
import type { Health } from '#kit/create-app.ts'
import type { IdpTables } from '../tables.ts'
import type { VerifierClient } from './create-verifier-client.ts'

/**
 * Whether people can sign in: 503 as long as the database, the verification service, or one of the
 * services that this one says it needs, is away. What is well is not listed: the document's body has
 * two members.
 *
 * @see document 1, GET /health: {status, db}
 * @assumption A-25
 * @row 1.endpoints/credential-idp.1 1.errors.9
 */
export async function checkHealth(
  database: Kysely<IdpTables>,
  verifier: VerifierClient,
): Promise<Health> {
  const isConnected = await sql`select 1`.execute(database).then(
    () => true,
    () => false,
  )
  if (!isConnected) return { healthy: false, body: { status: 'error', db: 'disconnected' } }
  const unavailable = await verifier.listUnavailable()
  return unavailable.length === 0
    ? { healthy: true, body: { status: 'ok', db: 'connected' } }
    : { healthy: false, body: { status: 'error', db: 'connected', unavailable } }
}
