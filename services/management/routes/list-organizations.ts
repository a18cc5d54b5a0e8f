import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { ManagementDependencies } from '../dependencies.ts'
import { exampleOrganization, zOrganization } from '../domain/z-organization.ts'

export const listOrganizations = defineRoute<ManagementDependencies>()({
  method: 'get',
  path: '/stand-in/organizations',
  summary: 'All organizations and what they may grant',
  tags: ['for whoever runs the stand-in'],
  auth: 'apiKey',
  responses: {
    200: {
      description: 'The organizations',
      body: z.object({ organizations: z.array(zOrganization) }),
      example: { organizations: [exampleOrganization] },
    },
  },
  errors: ['invalid_api_key'],
  async handle(_input, { organizations }) {
    return { status: 200, body: { organizations: await organizations.list() } }
  },
})
