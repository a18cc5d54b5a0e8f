import { createHash } from 'node:crypto'
import { isClaimText } from '#core/lear-credential/lear-credential.ts'

/**
 * The `sub` of whoever presents a credential: base64url of SHA-256 over the organization's
 * identifier, a line break, and the employee's. Never an address; undefined where the credential
 * lacks one of the two.
 *
 * @assumption A-42
 */
export function subjectOf(credential: unknown): string | undefined {
  const mandate = member(member(credential, 'credentialSubject'), 'mandate')
  const organization = member(member(mandate, 'mandator'), 'organizationIdentifier')
  const employee = member(member(mandate, 'mandatee'), 'employeeId')
  // A line break inside an identifier would let two different pairs give one subject.
  if (!isClaimText(organization) || !isClaimText(employee)) return undefined
  return createHash('sha256').update(`${organization}\n${employee}`).digest('base64url')
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
