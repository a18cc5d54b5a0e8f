import { z } from 'zod'
import { zBaseUrl, zDatabaseUrl } from '#kit/z-fields.ts'

const zInitialKey = z.object({
  name: z.string().min(1).max(200).describe('Owner of the key'),
  scope: z.string().min(1).max(100).describe('Scope that the key gives access to, for example tir'),
  key: z
    .string()
    .min(22)
    .max(512)
    .describe('The key itself: at least 128 random bits in base64url'),
})

/** Configuration of the API key service. */
export const zApiKeysConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address of this service'),
  databaseUrl: zDatabaseUrl.describe('sqlite::memory:, sqlite:/path or postgres://…'),
  operatorKey: z
    .string()
    .min(22)
    .max(512)
    .optional()
    .describe(
      'The x-api-key for creating, listing and revoking keys; without it these endpoints reject every request',
    ),
  initialKeys: z
    .array(zInitialKey)
    .default([])
    .describe('Keys that are valid while they are configured; only their hashes are stored'),
})

export type ApiKeysConfig = z.infer<typeof zApiKeysConfig>
