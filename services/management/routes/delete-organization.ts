import { defineRoute } from '#kit/define-route.ts'
import type { ManagementDependencies } from '../dependencies.ts'
import { zOrganizationParams } from '../domain/z-organization.ts'
import { organizationNotFound } from './organization-not-found.ts'

export const deleteOrganization = defineRoute<ManagementDependencies>()({
  method: 'delete',
  path: '/stand-in/organizations/:organization_identifier',
  summary: 'Forgets an organization: it may grant nothing any more',
  tags: ['for whoever runs the stand-in'],
  auth: 'apiKey',
  request: { params: zOrganizationParams },
  responses: { 204: { description: 'It is not known here any more' } },
  errors: ['not_found', 'invalid_api_key'],
  async handle({ params }, { organizations }) {
    if (!(await organizations.remove(params.organization_identifier))) throw organizationNotFound()
    return { status: 204 }
  },
})
