import { z } from 'zod'
import type { HttpRequest } from '#kit/create-http-client.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import { zFailure } from '#services/management/domain/failures.ts'
import {
  zOrganization,
  zOrganizationParams,
  zOrganizationSettings,
} from '#services/management/domain/organization.ts'
import { foreignManagementUrlOf } from '#testbed/services/environment-context.ts'
import { createServiceClient } from '#testbed/services/service-client.ts'
import { type ControlDependencies, findEnvironment } from '../dependencies.ts'
import { foreignManagementApi, refusedByService } from '../errors.ts'

/**
 * Forwards a call to the stand-in for the management API of an environment, which implements it.
 * @throws TestbedError the stand-in's error, `foreign_management_api`, or `unknown_environment`
 */
async function relayToManagement(
  dependencies: ControlDependencies,
  environment: string,
  path: string,
  request: HttpRequest = {},
): Promise<Reply> {
  const { context } = findEnvironment(dependencies, environment)
  const foreignUrl = foreignManagementUrlOf(context)
  if (foreignUrl !== undefined) {
    throw foreignManagementApi(foreignUrl)
  }
  const management = createServiceClient(context, 'management', { caller: 'control' })
  const { status, json } = await management.request(`/stand-in${path}`, request)
  if (status < 400) return json === undefined ? { status } : { status, body: json }
  throw refusedByService(status, json, 'The management API rejected the request.')
}

const zEnvironment = z.object({ env: z.string() })
const zOrganizationPath = zEnvironment.extend(zOrganizationParams.shape)
const organizationPath = '/control/:env/organizations/:organization_identifier'
const pathOf = (organizationIdentifier: string) =>
  `/organizations/${encodeURIComponent(organizationIdentifier)}`

export const listOrganizations = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/:env/organizations',
  summary: 'List what each organization may grant, according to the management API',
  auth: 'control',
  request: { params: zEnvironment },
  responses: {
    200: {
      description: 'The organizations',
      body: z.object({ organizations: z.array(zOrganization) }),
    },
  },
  errors: ['unknown_environment'],
  handle: ({ params }, dependencies) =>
    relayToManagement(dependencies, params.env, '/organizations'),
})

export const putOrganization = defineRoute<ControlDependencies>()({
  method: 'put',
  path: organizationPath,
  summary: 'Add an organization, or change what it may grant',
  auth: 'control',
  request: { params: zOrganizationPath, body: zOrganizationSettings },
  responses: { 200: { description: 'The updated organization', body: zOrganization } },
  errors: ['invalid_request', 'unknown_environment'],
  handle: ({ params, body }, dependencies) =>
    relayToManagement(dependencies, params.env, pathOf(params.organization_identifier), {
      method: 'PUT',
      json: body,
    }),
})

export const deleteOrganization = defineRoute<ControlDependencies>()({
  method: 'delete',
  path: organizationPath,
  summary: 'Delete an organization from the management API, which then returns 404',
  auth: 'control',
  request: { params: zOrganizationPath },
  responses: { 204: { description: 'Deleted' } },
  errors: ['unknown_environment', 'not_found'],
  handle: ({ params }, dependencies) =>
    relayToManagement(dependencies, params.env, pathOf(params.organization_identifier), {
      method: 'DELETE',
    }),
})

const failurePath = '/control/:env/management-failure'
const zFailureParams = z.object({ env: z.string() })
const failureResponses = {
  200: {
    description: 'The active failure; null if there is none',
    body: z.object({ failure: zFailure.nullable() }),
  },
}

export const readManagementFailure = defineRoute<ControlDependencies>()({
  method: 'get',
  path: failurePath,
  summary: 'Get the simulated failure of the management API',
  auth: 'control',
  request: { params: zFailureParams },
  responses: failureResponses,
  errors: ['unknown_environment'],
  handle: ({ params }, dependencies) => relayToManagement(dependencies, params.env, '/failure'),
})

export const startManagementFailure = defineRoute<ControlDependencies>()({
  method: 'put',
  path: failurePath,
  summary: 'Simulate a failure of the management API',
  auth: 'control',
  request: { params: zFailureParams, body: zFailure },
  responses: failureResponses,
  errors: ['invalid_request', 'unknown_environment'],
  handle: ({ params, body }, dependencies) =>
    relayToManagement(dependencies, params.env, '/failure', { method: 'PUT', json: body }),
})

export const endManagementFailure = defineRoute<ControlDependencies>()({
  method: 'delete',
  path: failurePath,
  summary: 'End the simulated failure of the management API',
  auth: 'control',
  request: { params: zFailureParams },
  responses: failureResponses,
  errors: ['unknown_environment'],
  handle: ({ params }, dependencies) =>
    relayToManagement(dependencies, params.env, '/failure', { method: 'DELETE' }),
})
