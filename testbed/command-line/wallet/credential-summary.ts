import { parseJws } from '#core/crypto/jws.ts'
import {
  type CredentialContentSummary,
  summarizeCredentialContent,
} from '#core/lear-credential/lear-credential.ts'
import type { StoredCredential } from '#wallet-emulator/store/wallet-store.ts'

/** What the holder wants to know about a credential, whatever its issuer put into it. */
export interface CredentialSummary extends CredentialContentSummary {
  readonly id: string
  readonly receivedAt: number
  readonly credentialIssuer: string
}

/** Reads the members of document 1's credential that are there, without judging them. */
export function summarizeCredential(stored: StoredCredential): CredentialSummary {
  const { id, credential, receivedAt, credentialIssuer } = stored
  const jws = parseJws(credential)
  const content = summarizeCredentialContent(jws.ok ? jws.payload : {})
  return { id, ...content, receivedAt, credentialIssuer }
}
