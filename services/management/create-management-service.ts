import { TestbedError } from '#core/errors/testbed-error.ts'
import { createApp } from '#kit/create-app.ts'
import type { Authentication } from '#kit/register-route.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import type { ManagementConfig } from './config.ts'
import { getOrganization } from './routes/get-organization.ts'

/**
 * Stands for the system that knows which powers an organization may grant: organizations and
 * powers come from its configuration. The caller's Bearer token has to be there; a stand-in does
 * not judge it, as it tells nothing that a caller could not know.
 *
 * @assumption A-24
 */
export async function createManagementService(
  config: ManagementConfig,
  runtime: Runtime,
): Promise<Service> {
  const app = createApp({
    name: 'management',
    title: 'Management API (stand-in)',
    version: '1.0.0',
    description: 'Which powers an organization may grant.',
    baseUrl: config.baseUrl,
    runtime,
    dependencies: config,
    routes: [getOrganization],
    authentication: { bearer: requireBearer },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    docsPath: '/swagger',
  })
  return { app, close: async () => {} }
}

const requireBearer: Authentication = (request) => {
  if (/^Bearer \S+$/i.test(request.get('authorization') ?? '')) return undefined
  throw new TestbedError({
    code: 'invalid_token',
    status: 401,
    message: 'A Bearer token is required.',
    headers: { 'www-authenticate': 'Bearer' },
  })
}
