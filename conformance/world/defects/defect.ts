import { createHmac, randomBytes } from 'node:crypto'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createPrivateJwk, type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { type JwsHeader, signJws } from '#core/crypto/jws.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import type { AttributeReference } from '#core/trust/tir-attribute.ts'

export type DefectiveIssuerName =
  | 'accredited'
  | 'key-not-for-assertions'
  | 'key-revoked'
  | 'accreditation-revoked'
  | 'revoked-parent'
  | 'parent-revoked'
  | 'accreditation-expired'
  | 'accredited-for-another-type'
  | 'accreditation-self-signed'
  | 'accreditation-of-another'
  | 'accreditation-moved'
  | 'root-not-trusted'

/** How an issuer that something is wrong with stands in the registries. */
export interface DefectiveIssuer {
  /** What its key is registered for. Default: assertionMethod. */
  readonly key?: 'not-for-assertions' | 'revoked'
  /** Default: TI. */
  readonly issuerType?: 'TI' | 'TAO' | 'ROOT_TAO'
  /** Who accredits it. Default: the environment's TAO. */
  readonly parent?: DefectiveIssuerName
  /** Its parent is revoked once it has accredited this one. */
  readonly parentRevoked?: true
  readonly revoked?: true
  /** Credential types of the accreditation. Default: what the environment issues to people. */
  readonly types?: readonly string[]
  /** What is wrong with the accreditation itself. */
  readonly accreditation?: 'expired' | 'self-signed' | 'about-another' | 'for-another-attribute'
}

/** The issuers that defects need, registered when one of them is first asked for. */
export const defectiveIssuers: Readonly<Record<DefectiveIssuerName, DefectiveIssuer>> = {
  accredited: {},
  'key-not-for-assertions': { key: 'not-for-assertions' },
  'key-revoked': { key: 'revoked' },
  'accreditation-revoked': { revoked: true },
  'revoked-parent': { issuerType: 'TAO' },
  'parent-revoked': { parent: 'revoked-parent', parentRevoked: true },
  'accreditation-expired': { accreditation: 'expired' },
  'accredited-for-another-type': { types: ['OtherCredential'] },
  'accreditation-self-signed': { accreditation: 'self-signed' },
  'accreditation-of-another': { accreditation: 'about-another' },
  'accreditation-moved': { accreditation: 'for-another-attribute' },
  'root-not-trusted': { issuerType: 'ROOT_TAO', parent: 'root-not-trusted' },
}

/** Makes the JWT of a header and a payload; the key is the issuer's. */
export type SignDraft = (header: JwsHeader, payload: object, privateKey: PrivateJwk) => string

const signingInput = (header: object, payload: object) =>
  [header, payload].map((part) => encodeBase64url(JSON.stringify(part))).join('.')

/** With the issuer's key, as it has to be. */
export const signWithIssuerKey: SignDraft = (header, payload, privateKey) =>
  signJws({ header, payload, privateKey })

/** With a key that nobody knows, under the issuer's kid. */
export const signWithStrangeKey: SignDraft = (header, payload) =>
  signJws({ header, payload, privateKey: createPrivateJwk('secp256k1', randomBytes(32)) })

/** Not at all: `alg` none and an empty signature. */
export const leaveUnsigned: SignDraft = (header, payload) =>
  `${signingInput({ ...header, alg: 'none' }, payload)}.`

/** By HMAC with the public key for a secret, which confuses verifiers that trust the header. */
export const signWithPublicKeyAsSecret: SignDraft = (header, payload, privateKey) => {
  const input = signingInput({ ...header, alg: 'HS256' }, payload)
  const secret = JSON.stringify(publicJwkOf(privateKey))
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

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
