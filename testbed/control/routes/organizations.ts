import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import {
  zOrganization,
  zOrganizationParams,
  zOrganizationSettings,
} from '#services/management/domain/organization.ts'
import type { ControlDependencies } from '../dependencies.ts'
import { relayToManagement } from '../relay-to-management.ts'

const zEnvironment = z.object({ env: z.string() })
const zParams = zEnvironment.extend(zOrganizationParams.shape)
const path = '/control/:env/organizations/:organization_identifier'
const pathOf = (organizationIdentifier: string) =>
  `/organizations/${encodeURIComponent(organizationIdentifier)}`

export const listOrganizations = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/:env/organizations',
  summary: 'What each organization may grant, as the management API tells it',
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
  path,
  summary: 'Adds an organization, or changes what it may grant',
  auth: 'control',
  request: { params: zParams, body: zOrganizationSettings },
  responses: { 200: { description: 'The organization from now on', body: zOrganization } },
  errors: ['invalid_request', 'unknown_environment'],
  handle: ({ params, body }, dependencies) =>
    relayToManagement(dependencies, params.env, pathOf(params.organization_identifier), {
      method: 'PUT',
      json: body,
    }),
})

export const deleteOrganization = defineRoute<ControlDependencies>()({
  method: 'delete',
  path,
  summary: 'Makes the management API forget an organization: 404 from now on',
  auth: 'control',
  request: { params: zParams },
  responses: { 204: { description: 'It is forgotten' } },
  errors: ['unknown_environment', 'not_found'],
  handle: ({ params }, dependencies) =>
    relayToManagement(dependencies, params.env, pathOf(params.organization_identifier), {
      method: 'DELETE',
    }),
})
