import { z } from 'zod'
import { zPower } from '#core/power/z-power.ts'

/** First element of a credential's `@context` (Document 1, Credential schema rules 3). */
export const credentialsContext = 'https://www.w3.org/ns/credentials/v2'

/** The type that is accepted where nothing else is configured (Document 1, OID_CREDENTIAL). */
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
export const zMandator = z.looseObject({
  organizationIdentifier: zClaimText,
  organization: z.string(),
  commonName: z.string().optional(),
  country: z.string().optional(),
  email: z.string().optional(),
  serialNumber: z.string().optional(),
})

/** The person who acts for it. */
export const zMandatee = z.looseObject({
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

export type Mandator = z.infer<typeof zMandator>
export type Mandatee = z.infer<typeof zMandatee>
export type Mandate = z.infer<typeof zMandate>
export type LearCredential = z.infer<typeof zLearCredential>
