import type { ParsedJws } from '#core/crypto/jws.ts'
import type { DidDocument } from '#core/did/did-document.ts'
import { parseDidOrg, parseDidUrl } from '#core/did/did-org.ts'
import { membersOf } from '#core/json/json-object.ts'
import { listIssues } from '#core/json/plain-issues.ts'
import { parseStatusEntry, type StatusEntry } from '#core/status-list/status-list-credential.ts'
import type { AttributeReference, TirEnvironment } from '#core/trust/tir-attribute.ts'
import { isTime, skewSeconds } from '#core/verification/data-model.ts'
import type { FetchStatusList, ResolveDidDocument } from '#core/verification/lookup.ts'
import type { Lookup } from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'

/** Which credentials the environment accepts. */
export interface CredentialPolicy extends TirEnvironment {
  /** OID_CREDENTIAL. Default: OrgPortalLearCredential. */
  readonly acceptedType: string
  /** The types above it, outermost first. */
  readonly inheritedTypes: readonly string[]
  /** DIDs of the roots of trust. If empty, `trust.root` is not checked. */
  readonly rootDids: readonly string[]
  /**
   * Base addresses of the credential issuers. Their status lists are below these. If empty, no list
   * is fetched or checked.
   */
  readonly credentialIssuerUrls: readonly string[]
  /** Whether revoked credentials are rejected. */
  readonly checkStatus: boolean
}

/** The credential's entry in a status list, with the list. */
type StatusFinding =
  | { readonly kind: 'absent' }
  | { readonly kind: 'not-checked' }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'foreign'; readonly entry: StatusEntry }
  | { readonly kind: 'fetched'; readonly entry: StatusEntry; readonly list: Lookup<string> }

/** A credential with everything that its rules need. The rules fetch nothing themselves. */
export interface CredentialContext
  extends Omit<PrepareCredentialOptions, 'resolveDidDocument' | 'fetchStatusList'> {
  /** The `vc` claim; empty if missing. */
  readonly vc: Readonly<Record<string, unknown>>
  /** `credentialSubject.mandate`; empty if missing. */
  readonly mandate: Readonly<Record<string, unknown>>
  /** The signature time, if it is valid: Unix seconds, possibly with a fraction. */
  readonly issuedAt: number | undefined
  /** The DID in `kid`, if it belongs to this environment. */
  readonly signerDid: string | undefined
  readonly documentWhenIssued: Lookup<DidDocument>
  readonly documentNow: Lookup<DidDocument>
  readonly status: StatusFinding
}

export interface PrepareCredentialOptions {
  readonly jws: ParsedJws
  readonly policy: CredentialPolicy
  /** Who presents or receives the credential; undefined if unknown. */
  readonly holderDid: string | undefined
  /** Unix seconds. */
  readonly now: number
  /** The attribute that termsOfUse points to, if it is in the TIR of the environment. */
  readonly accreditation: AttributeReference | undefined
  readonly resolveDidDocument: ResolveDidDocument
  readonly fetchStatusList: FetchStatusList
  readonly cache?: VerificationCache | undefined
}

/**
 * Gathers what the rules of a credential need. Only DIDs of this environment are resolved, and only
 * lists below a credential issuer's own base are fetched. Anything else causes no request.
 *
 * @assumption A-23 A-29
 */
export async function prepareCredential(
  options: PrepareCredentialOptions,
): Promise<CredentialContext> {
  const { jws, policy, holderDid, now, accreditation, resolveDidDocument, cache } = options
  const vc = membersOf(jws.payload.vc)
  const mandate = membersOf(membersOf(vc.credentialSubject).mandate)
  const { iat } = jws.payload
  const issuedAt = isTime(iat) && iat <= now + skewSeconds ? iat : undefined
  const signerDid = signerOf(jws, policy)
  const unresolved: Lookup<DidDocument> = {
    ok: false,
    kind: 'not-found',
    reason: describeUnresolved(signerDid, iat),
  }
  const [documentWhenIssued, documentNow, status] = await Promise.all([
    signerDid && issuedAt !== undefined
      ? resolveDidDocument(signerDid, Math.floor(issuedAt))
      : unresolved,
    signerDid ? resolveDidDocument(signerDid) : unresolved,
    findStatus(vc, options),
  ])
  const found = { issuedAt, signerDid, documentWhenIssued, documentNow, accreditation, status }
  return { jws, vc, mandate, policy, holderDid, now, cache, ...found }
}

/** Why the DID document at the signature time cannot be resolved. */
function describeUnresolved(signerDid: string | undefined, iat: unknown): string {
  if (signerDid === undefined) return 'kid does not contain a DID of this environment'
  return isTime(iat)
    ? 'iat is in the future, so there is no DID document for that time'
    : 'iat is not a valid signature time'
}

function signerOf(jws: ParsedJws, { environment }: CredentialPolicy): string | undefined {
  const { kid } = jws.header
  const url = typeof kid === 'string' ? parseDidUrl(kid) : undefined
  return url && parseDidOrg(url.did)?.environment === environment ? url.did : undefined
}

/** Reads the status entry of a credential and fetches the list that it names. */
export async function findStatus(
  vc: Readonly<Record<string, unknown>>,
  {
    policy,
    fetchStatusList,
  }: {
    readonly policy: Pick<CredentialPolicy, 'checkStatus' | 'credentialIssuerUrls'>
    readonly fetchStatusList: FetchStatusList
  },
): Promise<StatusFinding> {
  if (vc.credentialStatus === undefined) return { kind: 'absent' }
  if (!policy.checkStatus) return { kind: 'not-checked' }
  const parsed = parseStatusEntry(vc.credentialStatus)
  if (!parsed.success) return { kind: 'malformed', reason: listIssues(parsed.error) }
  const url = parsed.data.statusListCredential
  if (!policy.credentialIssuerUrls.some((base) => isBelow(base, url))) {
    return { kind: 'foreign', entry: parsed.data }
  }
  return { kind: 'fetched', entry: parsed.data, list: await fetchStatusList(url) }
}

/** True for a normalized address (without dot segments) below a base, without a query. */
function isBelow(base: string, url: string): boolean {
  if (!url.startsWith(`${base}/`) || /[?#]/.test(url) || !URL.canParse(url)) return false
  return new URL(url).href === url
}
