import type { z } from 'zod'
import { apiKeyAuthentication } from '#kit/authentication.ts'
import { createApp } from '#kit/create-app.ts'
import type { Authentication } from '#kit/register-route.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { openOrganizationStore } from './adapters/organization-store.ts'
import { zManagementConfig } from './config.ts'
import { createFailureSwitch } from './domain/failures.ts'
import { bearerTokenRequired, managementErrorCatalogue } from './errors.ts'
import {
  deleteOrganization,
  endFailure,
  getOrganization,
  listOrganizations,
  putOrganization,
  readFailure,
  startFailure,
} from './routes/management.ts'

/**
 * Stands for the system that knows which powers an organization may grant. Organizations start with
 * the configured powers and can be edited at runtime; on request it simulates failures of a real
 * system. Requires a Bearer token from the client but does not verify it, since the data is not
 * secret.
 *
 * @assumption A-24
 */
export async function createManagementService(
  given: z.input<typeof zManagementConfig>,
  runtime: Runtime,
): Promise<Service> {
  const config = zManagementConfig.parse(given)
  const organizations = await openOrganizationStore(config, runtime)
  const failures = createFailureSwitch()
  runtime.snapshots.add(failures)
  const app = createApp({
    name: 'management',
    title: 'Management API (stand-in)',
    version: '1.0.0',
    description: 'Returns the powers that an organization may grant.',
    baseUrl: config.baseUrl,
    runtime,
    database: organizations,
    dependencies: { organizations, failures },
    routes: [
      getOrganization,
      listOrganizations,
      putOrganization,
      deleteOrganization,
      readFailure,
      startFailure,
      endFailure,
    ],
    authentication: { bearer: requireBearer, apiKey: apiKeyAuthentication(config.apiKeys) },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    },
    errorCatalogue: managementErrorCatalogue,
    docsPath: '/swagger',
  })
  return { app, close: () => organizations.close() }
}

const requireBearer: Authentication = (request) => {
  if (/^Bearer \S+$/i.test(request.get('authorization') ?? '')) return undefined
  throw bearerTokenRequired()
}
