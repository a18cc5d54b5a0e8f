import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { zPower } from '#core/power/z-power.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { ManagementConfig } from '../config.ts'

/**
 * The authorised powers of an organization.
 *
 * @assumption A-24
 */
export const getOrganization = defineRoute<ManagementConfig>()({
  method: 'get',
  path: '/managements/organization/:organization_identifier',
  summary: 'Role and authorised powers of an organization',
  auth: 'bearer',
  request: {
    params: z.object({
      organization_identifier: z.string().describe('For example VATES-A12345678'),
    }),
  },
  responses: {
    200: {
      description: 'The organization; role is null where it may grant nothing',
      body: z.object({
        organization_identifier: z.string(),
        role: z.object({ type: z.string(), policies: z.array(zPower) }).nullable(),
      }),
    },
  },
  errors: ['not_found', 'invalid_token'],
  handle({ params }, { organizations }) {
    const organization = organizations.find(
      ({ organizationIdentifier }) => organizationIdentifier === params.organization_identifier,
    )
    if (!organization) {
      throw new TestbedError({
        code: 'not_found',
        status: 404,
        message: 'This organization is not known here.',
      })
    }
    const { organizationIdentifier, roleType, authorizedPowers } = organization
    const role = authorizedPowers === null ? null : { type: roleType, policies: authorizedPowers }
    return { status: 200, body: { organization_identifier: organizationIdentifier, role } }
  },
})
