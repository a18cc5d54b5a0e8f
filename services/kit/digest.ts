import { createHash } from 'node:crypto'

/** What is kept of a one-time secret: enough to recognise it, of no use to who reads the table. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
