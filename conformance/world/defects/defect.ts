import { createHmac, randomBytes } from 'node:crypto'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createPrivateJwk, type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { createSignature, createSigningInput, type JwsHeader, signJws } from '#core/crypto/jws.ts'
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

/** The registry entries of an issuer with a defect. */
export interface DefectiveIssuer {
  /** What is wrong with the registration of its key. Default: valid for assertionMethod. */
  readonly key?: 'not-for-assertions' | 'revoked'
  /** Default: TI. */
  readonly issuerType?: 'TI' | 'TAO' | 'ROOT_TAO'
  /** The organization that accredits it. Default: the environment's TAO. */
  readonly parent?: DefectiveIssuerName
  /** Its parent is revoked after it has accredited this one. */
  readonly parentRevoked?: true
  readonly revoked?: true
  /**
   * Credential types of the accreditation. Default: the type that the environment issues to people.
   */
  readonly types?: readonly string[]
  /** What is wrong with the accreditation itself. */
  readonly accreditation?: 'expired' | 'self-signed' | 'about-another' | 'for-another-attribute'
}

/** The issuers that defects need, registered on first use. */
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

/** Creates the JWT of a header and a payload; the key is the issuer's. */
export type SignDraft = (header: JwsHeader, payload: object, privateKey: PrivateJwk) => string

/** Signs correctly with the issuer's key. */
export const signWithIssuerKey: SignDraft = (header, payload, privateKey) =>
  signJws({ header, payload, privateKey })

/** Signs with an unknown key under the issuer's kid. */
export const signWithStrangeKey: SignDraft = (header, payload) =>
  signJws({ header, payload, privateKey: createPrivateJwk('secp256k1', randomBytes(32)) })

/** Signs with an unknown key under the issuer's kid, and has this key in the header. */
export const signWithKeyInHeader: SignDraft = (header, payload) => {
  const privateKey = createPrivateJwk('secp256k1', randomBytes(32))
  return signJws({ header: { ...header, jwk: publicJwkOf(privateKey) }, payload, privateKey })
}

/** Leaves the JWT unsigned: `alg` none and an empty signature. */
export const leaveUnsigned: SignDraft = (header, payload) =>
  `${createSigningInput({ ...header, alg: 'none' }, payload)}.`

/** Uses the public key as an HMAC secret, which deceives verifiers that trust the header. */
export const signWithPublicKeyAsSecret: SignDraft = (header, payload, privateKey) => {
  const input = createSigningInput({ ...header, alg: 'HS256' }, payload)
  const secret = JSON.stringify(publicJwkOf(privateKey))
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

/** Signs correctly, but names an algorithm that does not exist. */
export const signUnderLongerAlg: SignDraft = (header, payload, privateKey) => {
  const input = createSigningInput({ ...header, alg: `${header.alg}2` }, payload)
  const signature = createSignature(header.alg, privateKey, Buffer.from(input))
  return `${input}.${encodeBase64url(signature)}`
}

/** The inputs of a defect; all are known when the credential is created. */
export interface DefectWorld {
  /** Unix seconds. */
  readonly now: number
  readonly environment: DidEnvironment
  readonly tirBaseUrl: string
  /** Address of a status list of the credential issuer; the first one exists. */
  readonly statusListUrl: (list: number) => string
  /** The credential's own type, and those above it, outermost first. */
  readonly type: string
  readonly inheritedTypes: readonly string[]
  /** The signer: the environment's issuer, or the defect's own. */
  readonly issuer: AttributeReference
  /** The accreditation of the TAO above it. */
  readonly tao: AttributeReference
  /** A DID of an uninvolved holder. */
  readonly otherHolderDid: string
  /** A DID of this environment that is not registered. */
  readonly unknownDid: string
  /** The credentialStatus of a revoked credential; only for `revoked` defects. */
  readonly revokedStatus?: object
}

/** Members that replace those of a valid credential; undefined removes a member. */
export interface CredentialChange {
  readonly header?: Readonly<Record<string, unknown>>
  /** Claims of the JWT next to `vc`. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly vc?: Readonly<Record<string, unknown>>
  readonly subject?: Readonly<Record<string, unknown>>
  readonly mandate?: Readonly<Record<string, unknown>>
}

/** One thing that is wrong with an otherwise valid credential. */
export interface Defect {
  readonly name: string
  readonly description: string
  /** The verification rule that it breaks; undefined if it only looks unusual and must pass. */
  readonly rule?: string
  /** Further rules that cannot pass if this rule is broken. */
  readonly entails?: readonly string[]
  /** The issuer that signs it. Default: the environment's own issuer. */
  readonly issuer?: DefectiveIssuerName
  readonly change?: (world: DefectWorld & { readonly holderDid: string }) => CredentialChange
  /** How it is signed. Default: with the issuer's key. */
  readonly sign?: SignDraft
  /** A change of the signed credential. */
  readonly afterwards?: (credential: string) => string
  /** The credential is entered in the issuer's status list and revoked. */
  readonly revoked?: true
}
