import type { z } from 'zod'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { createVerificationCache } from '#core/verification/verification-cache.ts'
import { apiKeyAuthentication } from '#kit/authentication.ts'
import { createApp } from '#kit/create-app.ts'
import { openDatabase } from '#kit/database.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createSessionStore } from './adapters/session-store.ts'
import { checkHealth, createLookups, createTrustClients } from './adapters/trust-clients.ts'
import { createVerdictOutbox } from './adapters/verdict-outbox.ts'
import { zVerifierConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { getRequest, postResponse } from './routes/presentation.ts'
import {
  cancelSession,
  createSession,
  getSession,
  postCredentialStatus,
} from './routes/sessions.ts'
import { migrations, type VerifierTables } from './tables.ts'

const routes = [
  createSession,
  getSession,
  cancelSession,
  getRequest,
  postResponse,
  postCredentialStatus,
]

/**
 * The verification service behind the IDP: creates presentation requests, receives presentations,
 * verifies them with DID registry, TIR and status lists, and reports the verdicts (profile/idp,
 * Endpoints).
 */
export async function createVerifierService(
  given: z.input<typeof zVerifierConfig>,
  runtime: Runtime,
): Promise<Service> {
  const config = zVerifierConfig.parse(given)
  const database = await openDatabase<VerifierTables>({
    url: config.databaseUrl,
    service: 'verifier',
    migrations,
    runtime,
  })
  const clients = createTrustClients(config, runtime)
  const sessions = createSessionStore(database, runtime.clock, config.sessionRetentionSeconds)
  const outbox = createVerdictOutbox(config, sessions, runtime)
  const app = createApp<Dependencies>({
    name: 'verifier',
    title: 'Verifier',
    version: '1.0.0',
    description: 'Requests credentials from wallets and verifies their presentations.',
    baseUrl: config.baseUrl,
    runtime,
    dependencies: {
      config,
      runtime,
      log: runtime.log.child({ service: 'verifier' }),
      sessions,
      outbox,
      lookups: createLookups(config, clients),
      signingKey: privateJwkFromHex(config.verifierPrivateKey),
      verificationCache: createVerificationCache(),
    },
    routes,
    authentication: { apiKey: apiKeyAuthentication(config.apiKeys) },
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    docsPath: '/swagger',
    metricsNamespace: config.metricNamespace,
    health: () => checkHealth(database, clients, config),
  })
  return {
    app,
    async close() {
      await outbox.close()
      await database.destroy()
    },
  }
}
