import { z } from 'zod'
import { zPower } from '#core/power/power.ts'

/** The settings of an organization; null powers mean that it has no role. */
export const zOrganizationSettings = z.strictObject({
  role_type: z
    .string()
    .min(1)
    .max(256)
    .default('LEGAL_REPRESENTATIVE')
    .describe('Type of its role'),
  authorized_powers: z
    .array(zPower)
    .max(100)
    .nullable()
    .describe('Powers that it may grant, * for any; null means that it has no role'),
})

export const zOrganization = z.object({
  organization_identifier: z.string(),
  ...zOrganizationSettings.shape,
})

export const zOrganizationParams = z.object({
  organization_identifier: z.string().min(1).max(256).describe('For example VATES-A12345678'),
})

export type OrganizationSettings = z.infer<typeof zOrganizationSettings>
export type Organization = z.infer<typeof zOrganization>

export const exampleOrganization: Organization = {
  organization_identifier: 'VATES-A12345678',
  role_type: 'LEGAL_REPRESENTATIVE',
  authorized_powers: [
    { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] },
    { type: 'domain', domain: 'ORG', function: 'Catalogue', action: ['*'] },
  ],
}
