import { z } from 'zod'
import { membersOf } from '#core/json/json-object.ts'
import { zPower } from '#core/power/power.ts'
import { credentialsContext, parseIsoTime, toIsoTime } from '#core/verification/data-model.ts'

/** The default of the accepted type (profile/credential, Rules). */
export const defaultCredentialType = 'OrgPortalLearCredential'

/**
 * The types above the accepted one, outermost first.
 *
 * @assumption A-26
 */
export const inheritedTypes = ['VerifiableCredential', 'LEARCredential'] as const

const claimText = /^(?=\s*\S)[^\p{Cc}\p{Cs}]{1,256}$/u

/**
 * True for a string that a login can rely on: not blank, well-formed, without control characters,
 * at most 256 characters. The issuer requires it for every text in a credential; the verifier and
 * the IDP require it for the identifiers of people.
 *
 * @assumption A-60
 */
export function isClaimText(value: unknown): value is string {
  return typeof value === 'string' && claimText.test(value)
}

export const zClaimText = z
  .string()
  .regex(claimText, 'must be 1 to 256 characters without control characters, and not blank')

/** The organization that grants the mandate. */
const zMandator = z.looseObject({
  organizationIdentifier: zClaimText,
  organization: z.string(),
  commonName: z.string().optional(),
  country: z.string().optional(),
  email: z.string().optional(),
  serialNumber: z.string().optional(),
})

/** The person who acts for the organization. */
const zMandatee = z.looseObject({
  employeeId: zClaimText,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
})

export const zMandate = z.looseObject({
  id: z.string().optional(),
  mandator: zMandator,
  mandatee: zMandatee,
  // A power in a credential may have more members than a requested power.
  power: z.array(zPower.loose()).min(1),
})

/**
 * The `vc` claim of a credential from our issuer. Verification does not use this schema: each rule
 * checks its own members, so a third-party credential breaks only the rules that it violates.
 *
 * @assumption A-27
 */
export const zLearCredential = z.looseObject({
  '@context': z.array(z.unknown()).min(1),
  id: z.string(),
  type: z.array(z.string()),
  issuer: z.union([z.string(), z.looseObject({ id: z.string() })]),
  validFrom: z.string(),
  validUntil: z.string(),
  credentialSubject: z.looseObject({ id: z.string(), mandate: zMandate }),
  termsOfUse: z.unknown(),
  credentialSchema: z.unknown().optional(),
  credentialStatus: z.unknown().optional(),
})

export type Mandate = z.infer<typeof zMandate>
export type LearCredential = z.infer<typeof zLearCredential>

export interface CreateLearCredentialOptions {
  /** The credential_id, `urn:uuid:…`. */
  readonly id: string
  /** DID whose assertionMethod key signs. */
  readonly issuerDid: string
  /** DID whose control the holder proved. */
  readonly holderDid: string
  readonly mandate: Mandate
  /** Address of the issuer's accreditation in the TIR of the environment. */
  readonly termsOfUseUrl: string
  /** A status list entry; credentials without an entry cannot be rejected after revocation. */
  readonly credentialStatus?: object
  /** Address of the JSON Schema that the `vc` claim follows. */
  readonly credentialSchemaUrl?: string
  /** Unix seconds; the start of the validity. */
  readonly now: number
  /** Unix seconds. */
  readonly validUntil: number
  /** Default: OrgPortalLearCredential. */
  readonly type?: string
  /** The types above it, outermost first. Default: those of a LEAR credential. */
  readonly inheritedTypes?: readonly string[]
}

/**
 * The JWT payload of a credential, to be signed with the header {alg ES256K, typ JWT, kid
 * `<issuer DID>#<vMethodId>`}. The times in the `vc` claim and in the JWT's own claims agree.
 *
 * @assumption A-26 A-27
 * @row 1.versioning.1
 */
export function createLearCredential(options: CreateLearCredentialOptions) {
  const { id, issuerDid, holderDid, mandate, now, validUntil } = options
  const { credentialStatus, credentialSchemaUrl } = options
  const { type = defaultCredentialType, inheritedTypes: above = inheritedTypes } = options
  return {
    iss: issuerDid,
    sub: holderDid,
    jti: id,
    nbf: now,
    iat: now,
    exp: validUntil,
    vc: {
      '@context': [credentialsContext],
      id,
      type: [...new Set([...above, type])],
      issuer: issuerDid,
      validFrom: toIsoTime(now),
      validUntil: toIsoTime(validUntil),
      credentialSubject: { id: holderDid, mandate },
      termsOfUse: { id: options.termsOfUseUrl, type: 'TrustedIssuersRegistryEntry' },
      ...(credentialStatus === undefined ? {} : { credentialStatus }),
      ...(credentialSchemaUrl === undefined
        ? {}
        : { credentialSchema: { id: credentialSchemaUrl, type: 'JsonSchema' } }),
    },
  }
}

/** The main facts of a credential, for display, from any issuer. */
export interface CredentialContentSummary {
  readonly credentialId: string | undefined
  readonly types: readonly string[]
  readonly issuer: string | undefined
  readonly holder: string | undefined
  readonly organization: string | undefined
  readonly organizationIdentifier: string | undefined
  readonly name: string | undefined
  readonly email: string | undefined
  readonly employeeId: string | undefined
  /** `domain / function: action, action`. */
  readonly powers: readonly string[]
  /** Unix seconds. */
  readonly validFrom: number | undefined
  readonly validUntil: number | undefined
}

/** Reads the members of the profile's credential from a JWT payload, without validating them. */
export function summarizeCredentialContent(
  payload: Readonly<Record<string, unknown>>,
): CredentialContentSummary {
  const vc = membersOf(payload.vc)
  const mandate = membersOf(membersOf(vc.credentialSubject).mandate)
  const mandator = membersOf(mandate.mandator)
  const mandatee = membersOf(mandate.mandatee)
  const names = [mandatee.firstName, mandatee.lastName].filter((name) => typeof name === 'string')
  return {
    credentialId: textOf(vc.id) ?? textOf(payload.jti),
    types: textsOf(vc.type),
    issuer: textOf(payload.iss),
    holder: textOf(payload.sub),
    organization: textOf(mandator.organization),
    organizationIdentifier: textOf(mandator.organizationIdentifier),
    name: names.length > 0 ? names.join(' ') : undefined,
    email: textOf(mandatee.email),
    employeeId: textOf(mandatee.employeeId),
    powers: Array.isArray(mandate.power) ? mandate.power.map(describePower) : [],
    validFrom: parseIsoTime(vc.validFrom) ?? numberOf(payload.nbf),
    validUntil: parseIsoTime(vc.validUntil) ?? numberOf(payload.exp),
  }
}

function describePower(value: unknown): string {
  const power = membersOf(value)
  const [domain, name] = [power.domain, power.function].map((part) => textOf(part) ?? '?')
  return `${domain} / ${name}: ${textsOf(power.action).join(', ') || '?'}`
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
