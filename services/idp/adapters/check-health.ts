import type { Health } from '#kit/create-app.ts'
import type { Database } from '#kit/open-database.ts'
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
  database: Database<IdpTables>,
  verifier: VerifierClient,
): Promise<Health> {
  const db = await database.check()
  if (db === 'disconnected') return { healthy: false, body: { status: 'error', db } }
  const unavailable = await verifier.listUnavailable()
  return unavailable.length === 0
    ? { healthy: true, body: { status: 'ok', db } }
    : { healthy: false, body: { status: 'error', db, unavailable } }
}
