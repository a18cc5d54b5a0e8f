import { createHash } from 'node:crypto'
import { z } from 'zod'
import { zPrintableText } from '#kit/z-fields.ts'

export const zName = zPrintableText(200).describe('Owner of the key')

export const zScope = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,100}$/, 'must be 1 to 100 letters, digits and . _ : -')
  .describe('Scope that the key gives access to, for example tir')

/** A key in responses after its creation. */
export const zApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.string(),
  source: z.enum(['config', 'created']).describe('config: valid while it is configured'),
  created_at: z.int().describe('Unix seconds'),
  revoked_at: z.int().nullable().describe('Unix seconds, null for a key that is valid'),
})

export const exampleApiKey = {
  id: 'b9c7f6f2-0a53-4f0c-9d35-2a6f0b0a3c11',
  name: 'portal of the operator',
  scope: 'tir',
  source: 'created',
  created_at: 1_767_225_600,
  revoked_at: null,
} as const

/**
 * The stored form of a key: its SHA-256 in hex. A key has at least 128 random bits, so that finding
 * it from its hash is as hard as guessing it; a slow hash would not help.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
