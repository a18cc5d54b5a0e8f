import type { Organization } from '#scenarios/harness/z-testbed-file.ts'
import type { EnvironmentContext } from './environment-context.ts'

export interface LocalAccount {
  readonly organization: Organization
  readonly username: string
  readonly password: string
}

/**
 * Accounts at the token issuer for the representatives of all organizations, who have no credential
 * yet.
 * @assumption A-35
 */
export function localAccountsOf(context: EnvironmentContext): LocalAccount[] {
  return context.organizations.map((organization) => {
    const { email } = organization.representative
    return { organization, username: email, password: context.secret(`account/${email}`) }
  })
}
