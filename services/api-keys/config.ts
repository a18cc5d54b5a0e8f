import { z } from 'zod'
import { zBaseUrl } from '#kit/z-fields.ts'

const zInitialKey = z.object({
  name: z.string().min(1).max(200).describe('Who holds the key'),
  scope: z.string().min(1).max(100).describe('What the key opens, for example tir'),
  key: z
    .string()
    .min(22)
    .max(512)
    .describe('The key itself: at least 128 random bits in base64url'),
})

/** Configuration of the API key service. */
export const zApiKeysConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address of this service'),
  databaseUrl: z
    .string()
    .default('sqlite::memory:')
    .describe('sqlite::memory:, sqlite:/path or postgres://…'),
  operatorKey: z
    .string()
    .min(22)
    .max(512)
    .optional()
    .describe(
      'Opens the creation, list and revocation of keys, as x-api-key; without it nobody may do these',
    ),
  initialKeys: z
    .array(zInitialKey)
    .default([])
    .describe('Keys that exist as long as they stand here; only their hashes are stored'),
})

export type ApiKeysConfig = z.infer<typeof zApiKeysConfig>
