import { createHash } from 'node:crypto'
import { isClaimText } from '#core/lear-credential/lear-credential.ts'
import type { RuleText } from '#core/verification/rules.ts'
import { memberAt } from '#kit/openid-provider/claims.ts'

/** The states of a verification session (the profile). */
export type LoginStatus = 'PENDING' | 'SUCCESS' | 'FAILED'

/**
 * The current status of a verification session (profile/idp, Authorize). An expired session has
 * failed, even if a result arrives later.
 *
 * @assumption A-31
 * @row 1.resources-and-their-fields/verification-session.2
 */
export function loginStatus(
  { status, expires_at }: { readonly status: LoginStatus; readonly expires_at: number },
  now: number,
): LoginStatus {
  return status === 'PENDING' && expires_at <= now ? 'FAILED' : status
}

/**
 * The `sub` of the holder of a credential: base64url of SHA-256 over the organization's identifier,
 * a line break, and the employee's identifier. Never an email address; undefined if the credential
 * lacks one of the two.
 *
 * @assumption A-42
 */
export function subjectOf(credential: unknown): string | undefined {
  const mandate = memberAt(credential, ['credentialSubject', 'mandate'])
  const organization = memberAt(mandate, ['mandator', 'organizationIdentifier'])
  const employee = memberAt(mandate, ['mandatee', 'employeeId'])
  // A line break inside an identifier would let two different pairs give one subject.
  if (!isClaimText(organization) || !isClaimText(employee)) return undefined
  return createHash('sha256').update(`${organization}\n${employee}`).digest('base64url')
}

/** The IDP's own rule about a presentation that the verification service has accepted. */
export const accountRule: RuleText = {
  rule: 'account.subject',
  statement: 'The credential identifies an organization and an employee.',
  fix: 'Issue the credential with mandator.organizationIdentifier and mandatee.employeeId in its mandate, each a string of 1 to 256 characters without control characters.',
  path: 'vc.credentialSubject.mandate',
}

/** The stored details of a failed login. */
export interface Failures {
  readonly broken: readonly { readonly rule: string; readonly reason: string }[]
  readonly unavailable: readonly string[]
}

/** Why a login failed, for users; the pages show a sentence for each. */
export type FailureReason =
  | 'service-unavailable'
  | 'revoked'
  | 'expired'
  | 'not-yet-valid'
  | 'issue-date-invalid'
  | 'wrong-type'
  | 'issuer-unclear'
  | 'issuer-unknown'
  | 'issuer-key-invalid'
  | 'issuer-not-accredited'
  | 'wrong-holder'
  | 'invalid-signature'
  | 'incomplete'
  | 'malformed'
  | 'invalid-presentation'

/**
 * Rules by cause: if a rule fails because an earlier one failed, the earlier one comes first.
 * Without the issuer's DID document there is no key, and without the key no signature can be
 * verified. A credential's content counts only after its signature has been verified.
 */
const causes: readonly (readonly [rule: string, FailureReason])[] = [
  ['presentation.*', 'invalid-presentation'],
  ['submission.*', 'invalid-presentation'],
  ['response.*', 'invalid-presentation'],
  ['credential.format', 'malformed'],
  ['credential.type', 'wrong-type'],
  ['credential.issued-at', 'issue-date-invalid'],
  ['credential.issuer', 'issuer-unclear'],
  ['credential.issuer-document', 'issuer-unknown'],
  ['credential.algorithm', 'invalid-signature'],
  ['credential.issuer-key', 'issuer-key-invalid'],
  ['credential.signature', 'invalid-signature'],
  ['credential.status', 'revoked'],
  ['credential.expiry', 'expired'],
  ['credential.not-before', 'not-yet-valid'],
  ['credential.holder', 'wrong-holder'],
  ['trust.*', 'issuer-not-accredited'],
  ['credential.terms-of-use', 'issuer-not-accredited'],
  ['credential.context', 'malformed'],
  ['credential.type-chain', 'malformed'],
  ['credential.*', 'incomplete'],
  ['account.*', 'incomplete'],
]

interface BrokenRule {
  readonly rule: string
}

const placeOf = ({ rule }: BrokenRule): number => {
  const [group] = rule.split('.')
  const place = causes.findIndex(([name]) => name === rule || name === `${group}.*`)
  return place === -1 ? causes.length : place
}

/** The rules that a presentation broke, causes before their consequences. */
export function orderByCause<Rule extends BrokenRule>(broken: readonly Rule[]): readonly Rule[] {
  return broken.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** The one reason to show for the rules that a presentation broke. */
export function failureReason({
  broken,
  unavailable,
}: {
  readonly broken: readonly BrokenRule[]
  /** Services that did not answer. */
  readonly unavailable: readonly string[]
}): FailureReason {
  if (unavailable.length > 0) return 'service-unavailable'
  const [first] = orderByCause(broken)
  return (first && causes[placeOf(first)]?.[1]) ?? 'invalid-presentation'
}
