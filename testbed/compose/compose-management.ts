import type { Service } from '#kit/runtime.ts'
import { createManagementService } from '#services/management/create-management-service.ts'
import type { EnvironmentContext } from './environment-context.ts'

/** The stand-in for the system that knows which powers an organization may grant. */
export function composeManagement(context: EnvironmentContext): Promise<Service> {
  const organizations = context.organizations.map(
    ({ organizationIdentifier, authorizedPowers }) => ({
      organizationIdentifier,
      roleType: 'LEGAL_REPRESENTATIVE',
      authorizedPowers,
    }),
  )
  return createManagementService(
    {
      baseUrl: context.urls.management,
      databaseUrl: context.databaseUrl('management'),
      apiKeys: [context.secret('api-key/management')],
      organizations,
      ...context.settings.management,
    },
    context.runtime,
  )
}
