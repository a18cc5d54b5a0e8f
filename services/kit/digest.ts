import { createHash } from 'node:crypto'

/** What is kept of a value to recognize it later: of a one-time secret, or of a large text. */
export function digest(value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}
