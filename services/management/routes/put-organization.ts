import { defineRoute } from '#kit/define-route.ts'
import type { ManagementDependencies } from '../dependencies.ts'
import {
  exampleOrganization,
  zOrganization,
  zOrganizationParams,
  zOrganizationSettings,
} from '../domain/z-organization.ts'

export const putOrganization = defineRoute<ManagementDependencies>()({
  method: 'put',
  path: '/stand-in/organizations/:organization_identifier',
  summary: 'Adds an organization, or replaces what it may grant',
  tags: ['for whoever runs the stand-in'],
  auth: 'apiKey',
  request: {
    params: zOrganizationParams,
    body: zOrganizationSettings,
    example: { authorized_powers: exampleOrganization.authorized_powers },
  },
  responses: {
    200: {
      description: 'The organization as it is from now on',
      body: zOrganization,
      example: exampleOrganization,
    },
  },
  errors: ['invalid_request', 'invalid_api_key'],
  async handle({ params, body }, { organizations }) {
    await organizations.save(params.organization_identifier, body)
    return { status: 200, body: { ...params, ...body } }
  },
})
