import { z } from 'zod'
import { zPower } from '#core/power/power.ts'
import { credentialsContext, parseIsoTime, toIsoTime } from '#core/verification/data-model.ts'

/** The type that is accepted where nothing else is configured (profile/credential, Rules). */
export const defaultCredentialType = 'OrgPortalLearCredential'

/**
 * The types above the accepted one, outermost first.
 *
 * @assumption A-26
 */
export const inheritedTypes = ['VerifiableCredential', 'LEARCredential'] as const

const claimText = /^(?=\s*\S)[^\p{Cc}\p{Cs}]{1,256}$/u

/**
 * True for a text that a login can rely on: not blank, well-formed, without control characters, at
 * most 256 characters. The issuer asks it of every text that goes into a credential, the verifier
 * and the IDP of the identifiers that they tell people apart by.
 *
 * @assumption A-60
 */
export function isClaimText(value: unknown): value is string {
  return typeof value === 'string' && claimText.test(value)
}

export const zClaimText = z
  .string()
  .regex(claimText, 'must be 1 to 256 characters without control characters, and not blank')

/** The organization that gives the mandate. */
const zMandator = z.looseObject({
  organizationIdentifier: zClaimText,
  organization: z.string(),
  commonName: z.string().optional(),
  country: z.string().optional(),
  email: z.string().optional(),
  serialNumber: z.string().optional(),
})

/** The person who acts for it. */
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
  // A power in a credential may say more than one that is asked for.
  power: z.array(zPower.loose()).min(1),
})

/**
 * The `vc` claim of a credential as our issuer makes it. Verification does not lean on it: each rule
 * looks at its own members, so that a foreign credential breaks just the rules that it breaks.
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
  /** DID that the holder proved to control. */
  readonly holderDid: string
  readonly mandate: Mandate
  /** Address of the issuer's accreditation in the TIR of the environment. */
  readonly termsOfUseUrl: string
  /** A status list entry; credentials without one can't be refused after revocation. */
  readonly credentialStatus?: object
  /** Address of the JSON Schema that the `vc` claim follows. */
  readonly credentialSchemaUrl?: string
  /** Unix seconds; the credential is valid from here on. */
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
      type: [...above.filter((inherited) => inherited !== type), type],
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

/** What people want to know about a credential, whatever its issuer put into it. */
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

/** Reads the members of the profile's credential out of a JWT payload, without judging them. */
export function summarizeCredentialContent(
  payload: Readonly<Record<string, unknown>>,
): CredentialContentSummary {
  const vc = objectOf(payload.vc)
  const mandate = objectOf(objectOf(vc.credentialSubject).mandate)
  const mandator = objectOf(mandate.mandator)
  const mandatee = objectOf(mandate.mandatee)
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
  const power = objectOf(value)
  const [domain, name] = [power.domain, power.function].map((part) => textOf(part) ?? '?')
  return `${domain} / ${name}: ${textsOf(power.action).join(', ') || '?'}`
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
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
