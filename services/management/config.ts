import { z } from 'zod'
import { zPower } from '#core/power/power.ts'
import { zBaseUrl } from '#kit/z-fields.ts'

export const zManagedOrganization = z.object({
  organizationIdentifier: z.string().min(1).describe('Identifier of the organization'),
  roleType: z.string().default('LEGAL_REPRESENTATIVE').describe('Type of its role'),
  authorizedPowers: z
    .array(zPower)
    .nullable()
    .default([])
    .describe('Powers it may grant; null gives it no role at all'),
})

/** Configuration of the management API's stand-in. */
export const zManagementConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address of this service'),
  databaseUrl: z.string().default('sqlite::memory:').describe('Where organizations are kept'),
  apiKeys: z
    .array(z.string().min(16))
    .default([])
    .describe('Values of x-api-key that may edit organizations; none: nobody may'),
  organizations: z
    .array(zManagedOrganization)
    .default([])
    .describe('Organizations to begin with; what was edited since stays as it is'),
})

export type ManagementConfig = z.infer<typeof zManagementConfig>
