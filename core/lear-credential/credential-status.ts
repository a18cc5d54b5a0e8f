import { checkStatus } from '#core/status-list/check-status.ts'
import { parseIsoTime } from '#core/verification/data-model.ts'
import type { FetchStatusList, ResolveDidDocument } from '#core/verification/lookup.ts'
import type { Rule } from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import { type CredentialContext, type CredentialPolicy, findStatus } from './credential-context.ts'
import { issuerOf } from './issuer-rules.ts'

/** The only failure of the rule that means that the credential itself is no longer valid. */
export const revokedReason = 'the credential has been revoked by its issuer'

/**
 * Whether the issuer has revoked a credential. The profile does not define credentialStatus, so a
 * credential without it passes.
 *
 * @assumption A-23
 */
export const statusRule: Rule<CredentialContext> = {
  rule: 'credential.status',
  statement: 'The credential is not revoked.',
  fix: 'If the credential is revoked, request a new one: a revocation is permanent. Otherwise correct vc.credentialStatus or the status list that it names.',
  path: 'vc.credentialStatus',
  evaluate: ({ status, jws, documentNow, now, policy, cache }, { fail, lack, note }) => {
    const { iss } = jws.payload
    if (status.kind === 'absent') {
      note('The credential has no credentialStatus, so it cannot be revoked.')
    } else if (status.kind === 'not-checked') {
      note('This environment does not check status lists.')
    } else if (status.kind === 'malformed') {
      fail(`it is not a valid BitstringStatusListEntry or StatusList2021Entry: ${status.reason}`)
    } else if (status.kind === 'foreign' && policy.credentialIssuerUrls.length === 0) {
      lack({ ok: false, kind: 'not-asked', reason: 'no credential issuer is configured' })
    } else if (status.kind === 'foreign') {
      const bases = policy.credentialIssuerUrls.join(', ')
      const { statusListCredential } = status.entry
      fail(
        `the list is not below ${bases}`,
        'vc.credentialStatus.statusListCredential',
        statusListCredential,
      )
    } else if (!status.list.ok) {
      lack(status.list, `the status list is not available: ${status.list.reason}`)
    } else if (!documentNow.ok) {
      const reason = 'the status list cannot be verified without the DID document of the issuer'
      lack(documentNow, reason)
    } else if (typeof iss !== 'string') {
      fail('the status list cannot be verified without an issuer')
    } else {
      const { entry, list } = status
      const issuerDocument = documentNow.value
      const issuer = { issuerDid: iss, issuerDocument }
      const result = checkStatus({ entry, statusList: list.value, ...issuer, now, cache })
      if (!result.ok) fail(result.reason)
      else if (result.revoked) fail(revokedReason)
    }
  },
}

export interface ReadCredentialStatusOptions {
  /** The `vc` claim of a verified credential. */
  readonly vc: Readonly<Record<string, unknown>>
  readonly policy: Pick<CredentialPolicy, 'checkStatus' | 'credentialIssuerUrls'>
  /** Unix seconds. */
  readonly now: number
  readonly resolveDidDocument: ResolveDidDocument
  readonly fetchStatusList: FetchStatusList
  readonly cache?: VerificationCache | undefined
}

export type CredentialStatus =
  | { readonly status: 'valid' | 'revoked' | 'expired' }
  | { readonly status: 'unknown'; readonly reason: string }

/**
 * Whether a verified credential has since been revoked or has expired. A revocation is reported
 * only if a valid status list says so; any other problem with the list gives `unknown`.
 *
 * @assumption A-23 A-55
 */
export async function readCredentialStatus({
  vc,
  policy,
  now,
  resolveDidDocument,
  fetchStatusList,
  cache,
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
  const issuer = { issuerDid, issuerDocument }
  const checked = checkStatus({ entry, statusList: list.value, ...issuer, now, cache })
  if (!checked.ok) return { status: 'unknown', reason: checked.reason }
  return { status: checked.revoked ? 'revoked' : 'valid' }
}
