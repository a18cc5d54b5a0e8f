import type { Service } from '#kit/runtime.ts'
import { createApiKeysService } from '#services/api-keys/create-api-keys-service.ts'
import type { EnvironmentContext } from './environment-context.ts'

/** The service that knows which API keys open the TIR. */
export function composeApiKeys(context: EnvironmentContext): Promise<Service> {
  const key = context.secret('api-key/tir')
  return createApiKeysService(
    {
      baseUrl: context.urls['api-keys'],
      databaseUrl: context.databaseUrl('api-keys'),
      operatorKey: context.secret('api-key/operator'),
      initialKeys: [{ name: 'testbed', scope: 'tir', key }],
      ...context.settings['api-keys'],
    },
    context.runtime,
  )
}
