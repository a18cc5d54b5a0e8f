import { checkStatus } from '#core/status-list/check-status.ts'
import { parseIsoTime } from '#core/verification/iso-time.ts'
import type { FetchStatusList, ResolveDidDocument } from '#core/verification/lookup.ts'
import type { CredentialPolicy } from './credential-context.ts'
import { findStatus } from './prepare-credential.ts'
import { issuerOf } from './rules/issuer-rules.ts'

export interface ReadCredentialStatusOptions {
  /** The `vc` claim of a credential that was verified before. */
  readonly vc: Readonly<Record<string, unknown>>
  readonly policy: Pick<CredentialPolicy, 'checkStatus' | 'credentialIssuerUrls'>
  /** Unix seconds. */
  readonly now: number
  readonly resolveDidDocument: ResolveDidDocument
  readonly fetchStatusList: FetchStatusList
}

export type CredentialStatus =
  | { readonly status: 'valid' | 'revoked' | 'expired' }
  | { readonly status: 'unknown'; readonly reason: string }

/**
 * Whether a credential that was verified before has been revoked or has expired since. A revocation
 * is reported only if a valid status list says so; any other problem with the list gives `unknown`.
 *
 * @assumption A-23 A-55
 */
export async function readCredentialStatus({
  vc,
  policy,
  now,
  resolveDidDocument,
  fetchStatusList,
}: ReadCredentialStatusOptions): Promise<CredentialStatus> {
  const validUntil = parseIsoTime(vc.validUntil)
  if (validUntil !== undefined && now > validUntil) return { status: 'expired' }
  const found = await findStatus(vc, { policy, fetchStatusList })
  if (found.kind === 'absent' || found.kind === 'not-checked') return { status: 'valid' }
  if (found.kind !== 'fetched') return { status: 'unknown', reason: `the entry is ${found.kind}` }
  const { entry, list } = found
  if (!list.ok) return { status: 'unknown', reason: list.reason }
  const issuerDid = String(issuerOf(vc))
  const document = await resolveDidDocument(issuerDid)
  if (!document.ok) return { status: 'unknown', reason: document.reason }
  const issuerDocument = document.value
  const result = checkStatus({ entry, statusList: list.value, issuerDid, issuerDocument, now })
  if (!result.ok) return { status: 'unknown', reason: result.reason }
  return { status: result.revoked ? 'revoked' : 'valid' }
}
