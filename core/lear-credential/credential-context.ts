import type { ParsedJws } from '#core/crypto/parse-jws.ts'
import type { DidDocument } from '#core/did/z-did-document.ts'
import type { StatusEntry } from '#core/status-list/z-status-list.ts'
import type { AttributeReference, TirEnvironment } from '#core/trust/parse-terms-of-use.ts'
import type { Lookup } from '#core/verification/lookup.ts'

/** What the environment says about the credentials that are accepted in it. */
export interface CredentialPolicy extends TirEnvironment {
  /** OID_CREDENTIAL. Default: OrgPortalLearCredential. */
  readonly acceptedType: string
  /** The types above it, outermost first. */
  readonly inheritedTypes: readonly string[]
  /** DIDs of the roots of trust; where there are none, `trust.root` is not checked. */
  readonly rootDids: readonly string[]
  /**
   * Base addresses of the credential issuers, below which their status lists are; where there are
   * none, no list is fetched or judged.
   */
  readonly credentialIssuerUrls: readonly string[]
  /** Whether a revoked credential is refused. */
  readonly checkStatus: boolean
}

/** The credential's entry in a status list and what was found there. */
export type StatusFinding =
  | { readonly kind: 'absent' }
  | { readonly kind: 'not-checked' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'foreign'; readonly entry: StatusEntry }
  | { readonly kind: 'fetched'; readonly entry: StatusEntry; readonly list: Lookup<string> }

/** A credential with everything that its rules need; nothing is fetched after this is made. */
export interface CredentialContext {
  readonly jws: ParsedJws
  /** The `vc` claim; empty where there is none. */
  readonly vc: Readonly<Record<string, unknown>>
  /** `credentialSubject.mandate`; empty where there is none. */
  readonly mandate: Readonly<Record<string, unknown>>
  readonly policy: CredentialPolicy
  /** Who presents or receives the credential; undefined where that is not known. */
  readonly holderDid: string | undefined
  /** Unix seconds. */
  readonly now: number
  /** The signature time, where it is a usable one: Unix seconds, possibly with a fraction. */
  readonly issuedAt: number | undefined
  /** The DID in `kid`, where it is one of this environment. */
  readonly signerDid: string | undefined
  readonly documentWhenIssued: Lookup<DidDocument>
  readonly documentNow: Lookup<DidDocument>
  readonly accreditation: AttributeReference | undefined
  readonly status: StatusFinding
}
