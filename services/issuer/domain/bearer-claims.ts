import { parseJson } from '#core/json/read-json.ts'
import { isClaimText } from '#core/lear-credential/lear-credential.ts'
import { type Power, zPower } from '#core/power/power.ts'
import type { IssuerConfig } from '../config.ts'
import { otherOrganization, powerRequired } from '../errors.ts'

/** The sender of a request, from the Bearer token (profile/issuer, Authentication). */
export interface BearerClaims {
  readonly organizationIdentifier: string
  readonly organization: string
  readonly userIdentifier: string
  readonly email: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly name?: string | undefined
}

const requiredClaims = [
  'organization_identifier',
  'organization',
  'user_identifier',
  'email',
] as const

const nameClaims = ['given_name', 'family_name', 'name'] as const

/**
 * Reads the claims that issuance requires. If claims are missing or cannot be part of a credential,
 * returns their names instead.
 *
 * @row 1.resources-and-their-fields/token-claims-required-by-the-issuer.1
 */
export function readBearerClaims(
  payload: Readonly<Record<string, unknown>>,
):
  | { readonly ok: true; readonly claims: BearerClaims }
  | { readonly ok: false; readonly missing: readonly string[] } {
  const missing = requiredClaims.filter((name) => readText(payload, name) === undefined)
  const unusable = nameClaims.filter(
    (name) => isNonBlank(payload, name) && readText(payload, name) === undefined,
  )
  if (missing.length + unusable.length > 0) return { ok: false, missing: [...missing, ...unusable] }
  const [firstName, lastName, name] = nameClaims.map((claim) => readText(payload, claim))
  return {
    ok: true,
    claims: {
      organizationIdentifier: readText(payload, 'organization_identifier') ?? '',
      organization: readText(payload, 'organization') ?? '',
      userIdentifier: readText(payload, 'user_identifier') ?? '',
      email: readText(payload, 'email') ?? '',
      firstName,
      lastName,
      name,
    },
  }
}

/**
 * Reads a claim that a credential can contain.
 *
 * @assumption A-60
 */
function readText(payload: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(payload, name) ? payload[name] : undefined
  return isClaimText(value) ? value : undefined
}

function isNonBlank(payload: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = Object.hasOwn(payload, name) ? payload[name] : undefined
  return typeof value === 'string' && value.trim() !== ''
}

/**
 * Reads the token's powers: an array, or a string with a JSON array. Omits entries that are not
 * valid powers.
 *
 * @assumption A-40
 */
export function readOwnPowers(payload: Readonly<Record<string, unknown>>): readonly Power[] {
  const value = typeof payload.power === 'string' ? parseJson(payload.power) : payload.power
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => {
    const parsed = zPower.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}

type Reach = Pick<IssuerConfig, 'crossOrganizationPower' | 'requirePowerToManage'>

/**
 * Limits list and revoke to the organization of the token, unless the token has the configured
 * power. Depending on the configuration, they also require a power with the action itself.
 * Throws a TestbedError with status 403.
 *
 * @assumption A-40
 */
export function requireReach(
  payload: Readonly<Record<string, unknown>>,
  organizationIdentifiers: readonly string[],
  action: 'read' | 'delete',
  { crossOrganizationPower, requirePowerToManage }: Reach,
): void {
  const isSupervisor =
    crossOrganizationPower !== undefined &&
    readOwnPowers(payload).some(
      (power) =>
        power.type === crossOrganizationPower.type &&
        power.domain === crossOrganizationPower.domain &&
        power.function === crossOrganizationPower.function &&
        power.action.includes(crossOrganizationPower.action),
    )
  if (isSupervisor) return
  const own = readText(payload, 'organization_identifier')
  if (own === undefined || organizationIdentifiers.some((identifier) => identifier !== own)) {
    throw otherOrganization()
  }
  if (!requirePowerToManage) return
  const names = readOwnPowers(payload).flatMap((power) => power.action)
  if (names.some((name) => name.toLowerCase() === action)) return
  throw powerRequired(action)
}
