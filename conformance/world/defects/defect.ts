import type { DidEnvironment } from '#core/did/did-org.ts'
import type { AttributeReference } from '#core/trust/tir-attribute.ts'
import type { DefectiveIssuerName } from './defective-issuers.ts'
import type { SignDraft } from './sign-draft.ts'

/** What a defect is made from; nothing in it is asked for when the credential is made. */
export interface DefectWorld {
  /** Unix seconds. */
  readonly now: number
  readonly environment: DidEnvironment
  readonly tirBaseUrl: string
  /** Address of a status list of the credential issuer; the first one is there. */
  readonly statusListUrl: (list: number) => string
  /** The credential's own type, and those above it, outermost first. */
  readonly type: string
  readonly inheritedTypes: readonly string[]
  /** Who signs: the environment's issuer, or the defect's own. */
  readonly issuer: AttributeReference
  /** The accreditation of the TAO above it. */
  readonly tao: AttributeReference
  /** A DID of a holder who has nothing to do with it. */
  readonly otherHolderDid: string
  /** A DID of this environment that is not registered. */
  readonly unknownDid: string
  /** The credentialStatus of a credential that has been revoked; for `revoked` defects alone. */
  readonly revokedStatus?: object
}

/** Members that replace those of a good credential; undefined takes one away. */
export interface CredentialChange {
  readonly header?: Readonly<Record<string, unknown>>
  /** Claims of the JWT beside `vc`. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly vc?: Readonly<Record<string, unknown>>
  readonly subject?: Readonly<Record<string, unknown>>
  readonly mandate?: Readonly<Record<string, unknown>>
}

/** One thing that is wrong with a credential which is good otherwise. */
export interface Defect {
  readonly name: string
  readonly description: string
  /** The verification rule that it breaks; undefined where it only looks odd and has to pass. */
  readonly rule?: string
  /** Further rules that can't hold where this one is broken. */
  readonly entails?: readonly string[]
  /** Who signs it. Default: the environment's own issuer. */
  readonly issuer?: DefectiveIssuerName
  readonly change?: (world: DefectWorld) => CredentialChange
  /** Default: with the issuer's key. */
  readonly sign?: SignDraft
  /** What is done to the credential once it is signed. */
  readonly afterwards?: (credential: string) => string
  /** The credential is entered in the issuer's status list and revoked. */
  readonly revoked?: true
}
