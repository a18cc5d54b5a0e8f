import { createHash } from 'node:crypto'
import { memberAt } from '#kit/openid-provider/claims.ts'

/** The claims of the tokens about a user, by name. Missing claims are unknown. */
export type AccountClaims = Readonly<Record<string, unknown>>

/** An account of a user. `id` is the `sub` of the tokens: stable, and not an email address. */
export interface Account {
  readonly id: string
  readonly claims: AccountClaims
}

/** A configured account, without its password. */
export interface LocalAccountData {
  readonly username: string
  readonly organizationIdentifier: string
  readonly organization: string
  readonly userIdentifier: string
  readonly email: string
  readonly givenName?: string | undefined
  readonly familyName?: string | undefined
  readonly power?: readonly unknown[] | undefined
}

/**
 * The account of a configured user.
 * @assumption A-35 local accounts represent the first login of an organization without credentials
 */
export function localAccount(data: LocalAccountData): Account {
  const names = [data.givenName, data.familyName].filter((name) => name !== undefined)
  const claims = {
    organization_identifier: data.organizationIdentifier,
    organization: data.organization,
    user_identifier: data.userIdentifier,
    email: data.email,
    preferred_username: data.username,
    given_name: data.givenName,
    family_name: data.familyName,
    name: names.length === 0 ? undefined : names.join(' '),
    power: data.power,
  }
  return {
    id: createHash('sha256').update(`local\n${data.username}`).digest('base64url'),
    claims: Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined)),
  }
}

/**
 * Maps the claims of an external identity provider to those of the access token, with one mapper
 * per claim (profile/idp, Claims). Drops claims without a mapper.
 * @param mappers own claim = path in the provider's claims
 * @row 1.resources-and-their-fields/idp-id-token-claims.4
 */
export function mapClaims(
  mappers: Readonly<Record<string, string>>,
  claims: unknown,
): AccountClaims {
  return Object.fromEntries(
    Object.entries(mappers).flatMap(([name, path]) => {
      const value = memberAt(claims, path.split('.'))
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}
