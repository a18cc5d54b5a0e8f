import { z } from 'zod'
import { zPower } from '#core/power/power.ts'
import { zBaseUrl, zDatabaseUrl } from '#kit/z-fields.ts'

const zManagedOrganization = z.object({
  organizationIdentifier: z.string().min(1).describe('Identifier of the organization'),
  roleType: z.string().default('LEGAL_REPRESENTATIVE').describe('Type of its role'),
  authorizedPowers: z
    .array(zPower)
    .nullable()
    .default([])
    .describe('Powers that it may grant; null means that it has no role'),
})

/** Configuration of the stand-in for the management API. */
export const zManagementConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address of this service'),
  databaseUrl: zDatabaseUrl.describe('Database of the organizations'),
  apiKeys: z
    .array(z.string().min(16))
    .default([])
    .describe('Values of x-api-key for editing organizations; if empty, they cannot be edited'),
  organizations: z
    .array(zManagedOrganization)
    .default([])
    .describe('Initial organizations; later edits are kept'),
})

export type ManagementConfig = z.infer<typeof zManagementConfig>
