import { createHash } from 'node:crypto'

/**
 * What is stored of a key: its SHA-256 in hex. A key has at least 128 random bits, so that guessing
 * it from its hash is as hopeless as guessing it at the door; a slow hash would add nothing.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
