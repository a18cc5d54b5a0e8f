import { createHash } from 'node:crypto'
import { z } from 'zod'
import { zPrintableText } from '#kit/z-fields.ts'

export const zName = zPrintableText(200).describe('Who holds the key')

export const zScope = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,100}$/, 'must be 1 to 100 letters, digits and . _ : -')
  .describe('What the key opens, for example tir')

/** A key as it is told of after its creation. */
export const zApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.string(),
  source: z.enum(['config', 'created']).describe('config: exists as long as it is configured'),
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
 * What is stored of a key: its SHA-256 in hex. A key has at least 128 random bits, so that guessing
 * it from its hash is as hopeless as guessing it at the door; a slow hash would add nothing.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
