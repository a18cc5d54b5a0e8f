import { createHmac } from 'node:crypto'
import type { VerifierConfig } from '../config.ts'

/**
 * The one-time code in the address to which the wallet leads its holder. It is made from the session
 * whenever it is needed, so that no database holds it.
 */
export function responseCodeOf(
  { session_id }: { readonly session_id: string },
  { verifierPrivateKey }: Pick<VerifierConfig, 'verifierPrivateKey'>,
): string {
  return createHmac('sha256', verifierPrivateKey)
    .update(`response code of ${session_id}`)
    .digest('base64url')
}
