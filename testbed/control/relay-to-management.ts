import { TestbedError } from '#core/errors/testbed-error.ts'
import { createHttpClient, type HttpRequest } from '#kit/create-http-client.ts'
import type { Reply } from '#kit/define-route.ts'
import { foreignManagementUrlOf } from '../compose/environment-context.ts'
import type { ControlDependencies } from './dependencies.ts'
import { findEnvironment } from './find-environment.ts'

/**
 * Hands a call on to the management API's stand-in of an environment, whose own API for this it is.
 * @throws TestbedError the stand-in's refusal, `foreign_management_api`, or `unknown_environment`
 */
export async function relayToManagement(
  dependencies: ControlDependencies,
  environment: string,
  path: string,
  request: HttpRequest = {},
): Promise<Reply> {
  const { context } = findEnvironment(dependencies, environment)
  const foreignUrl = foreignManagementUrlOf(context)
  if (foreignUrl !== undefined) {
    throw new TestbedError({
      code: 'foreign_management_api',
      status: 409,
      message: `The issuer asks the management API at ${foreignUrl}, which this testbed does not control.`,
    })
  }
  const management = createHttpClient(context.runtime, {
    caller: 'control',
    dependency: 'management API',
    baseUrl: context.localUrls.management,
    headers: { 'x-api-key': context.secret('api-key/management') },
  })
  const { status, json } = await management.request(`/stand-in${path}`, request)
  if (status < 400) return json === undefined ? { status } : { status, body: json }
  const problem = (json ?? {}) as { error?: unknown; error_description?: unknown }
  throw new TestbedError({
    code: String(problem.error ?? 'server_error'),
    status: status < 500 ? status : 502,
    message: String(problem.error_description ?? 'The management API did not do it.'),
  })
}
