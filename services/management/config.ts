import { z } from 'zod'
import { zPower } from '#core/power/z-power.ts'

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
  baseUrl: z.url().describe('Public address of this service'),
  organizations: z
    .array(zManagedOrganization)
    .default([])
    .describe('The organizations and the powers that each one may grant'),
})

export type ManagementConfig = z.infer<typeof zManagementConfig>
