import { parseJws } from '#core/crypto/jws.ts'
import { revokedReason } from '#core/lear-credential/credential-status.ts'
import { summarizeCredentialContent } from '#core/lear-credential/lear-credential.ts'
import type { Wallet } from '../create-wallet.ts'
import type { StoredCredential } from '../store/wallet-store.ts'
import type { WalletTrust } from '../trust/wallet-trust.ts'
import { validateReceivedCredential } from './validate-received-credential.ts'

/**
 * Whether an issuer has revoked a credential; `unknown` if its status list could not be verified.
 */
export interface CredentialStatus {
  readonly status: 'valid' | 'revoked' | 'unknown'
  /** Why it is unknown. */
  readonly statusReason?: string
}

/** Reads the currently published status of a credential in a wallet. */
export async function readCredentialStatus(
  wallet: Wallet,
  { credential, credentialIssuer }: StoredCredential,
  trust: WalletTrust,
): Promise<CredentialStatus> {
  const jws = parseJws(credential)
  const { types } = summarizeCredentialContent(jws.ok ? jws.payload : {})
  const verdict = await validateReceivedCredential(wallet, credential, {
    ...trust,
    types,
    credentialIssuer,
  })
  const found = [...verdict.failures, ...verdict.unchecked]
  const failure = found.find(({ rule }) => rule === 'credential.status')
  if (failure === undefined) return { status: 'valid' }
  const { reason } = failure
  return reason === revokedReason
    ? { status: 'revoked' }
    : { status: 'unknown', statusReason: reason }
}
