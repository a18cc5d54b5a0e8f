import type { Health } from '#kit/create-app.ts'
import type { Database } from '#kit/database.ts'
import type { IdpTables } from '../tables.ts'
import type { VerifierClient } from './create-verifier-client.ts'

/**
 * The state of the service and its database: 503 while the database is away. The services that a
 * login needs besides are listed, and do not change the status.
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
  const dependencies = await verifier.readDependencies()
  return { healthy: true, body: { status: 'ok', db, dependencies } }
}
