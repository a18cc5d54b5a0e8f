import { createHash } from 'node:crypto'
import type { Account } from './account.ts'

/** A configured account as it stands in the configuration, its password apart. */
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
 * @assumption A-35 local accounts stand for the first login of an organization without credentials
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
