import { parseIsoTime } from '#core/verification/iso-time.ts'

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

/** Reads the members of document 1's credential out of a JWT payload, without judging them. */
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
