import type { Health } from '#kit/create-app.ts'
import type { Database } from '#kit/database.ts'
import type { VerifierConfig } from '../config.ts'
import type { VerifierTables } from '../tables.ts'
import type { TrustClients, TrustService } from './create-trust-clients.ts'

const longestWaitMilliseconds = 2000

/**
 * Whether presentations can be verified: 503 as long as the database or one of the services that a
 * verdict rests on is not well by its own word, as every login fails then.
 */
export async function checkHealth(
  database: Database<VerifierTables>,
  { didRegistry, tir, statusLists }: TrustClients,
  { checkCredentialStatus }: Pick<VerifierConfig, 'checkCredentialStatus'>,
): Promise<Health> {
  const [db, registry, trust, lists] = await Promise.all([
    database.check(),
    stateOf([didRegistry]),
    stateOf([tir]),
    stateOf(checkCredentialStatus ? statusLists : []),
  ])
  const dependencies = { 'did-registry': registry, tir: trust, 'status-list': lists }
  const healthy = [db, registry, trust, lists].every((state) => state === 'connected')
  return { healthy, body: { status: healthy ? 'ok' : 'error', db, dependencies } }
}

async function stateOf(services: readonly TrustService[]): Promise<'connected' | 'unavailable'> {
  const well = await Promise.all(services.map(isWell))
  return well.includes(false) ? 'unavailable' : 'connected'
}

/** A registry that has no such address answers 404, which is an answer. */
async function isWell({ client, url }: TrustService): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(longestWaitMilliseconds)
    const response = await client.fetch(`${url}/health`, { signal })
    await response.body?.cancel()
    return response.status < 500
  } catch {
    return false
  }
}
