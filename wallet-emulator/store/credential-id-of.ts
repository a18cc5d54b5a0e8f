import { createHash } from 'node:crypto'

/** What names a credential in a wallet: 16 hex digits of the SHA-256 of the JWT. */
export function credentialIdOf(credential: string): string {
  return createHash('sha256').update(credential).digest('hex').slice(0, 16)
}
