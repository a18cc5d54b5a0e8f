import type { Kysely } from 'kysely'
import { isReservedClaim } from '#kit/openid-provider/claims.ts'
import type { Clock } from '#kit/runtime.ts'
import { randomToken, secretsEqual, verifyPassword } from '#kit/secrets.ts'
import type { AccountConfig } from '../config.ts'
import { type Account, type AccountClaims, localAccount } from '../domain/account.ts'
import type { TokenIssuerTables } from '../tables.ts'

export interface AccountStore {
  find(id: string): Promise<Account | undefined>
  /** The local account with that name and password; takes equally long if there is none. */
  authenticate(username: string, password: string): Promise<Account | undefined>
  /** The account of a user of an external provider, with the claims of this login. */
  link(alias: string, subject: string, claims: AccountClaims): Promise<Account>
  /** A local account of that organization, with that email address if given. */
  findRepresentative(organizationIdentifier: string, email?: string): Account | undefined
}

/** The accounts: local ones from the configuration, linked ones in the database. */
export function createAccountStore(
  database: Kysely<TokenIssuerTables>,
  configured: readonly AccountConfig[],
  clock: Clock,
): AccountStore {
  const byUsername = new Map(configured.map((each) => [each.username, each]))
  const locals = configured.map(localAccount)

  return {
    async find(id) {
      const local = locals.find((account) => account.id === id)
      if (local !== undefined) return local
      const row = await database
        .selectFrom('linked_accounts')
        .select('claims')
        .where('account_id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return undefined
      // A mapper of version 0.1.0 may have set a reserved claim.
      const claims = Object.entries<unknown>(JSON.parse(row.claims))
      return { id, claims: Object.fromEntries(claims.filter(([name]) => !isReservedClaim(name))) }
    },

    async authenticate(username, password) {
      const found = byUsername.get(username)
      // Without a hash this fails after the same time, so it comes before a plain comparison.
      const fitsHash = await verifyPassword(password, found?.passwordHash)
      const isRight =
        found?.password === undefined ? fitsHash : secretsEqual(password, found.password)
      return isRight && found !== undefined ? localAccount(found) : undefined
    },

    // @assumption A-42 by (alias, sub) only: an address that both providers know does not link
    // accounts
    async link(alias, subject, claims) {
      const now = clock.seconds()
      const changing = { claims: JSON.stringify(claims), updated_at: now }
      const { account_id } = await database
        .insertInto('linked_accounts')
        .values({ alias, subject, account_id: randomToken(), created_at: now, ...changing })
        .onConflict((conflict) => conflict.columns(['alias', 'subject']).doUpdateSet(changing))
        .returning('account_id')
        .executeTakeFirstOrThrow()
      return { id: account_id, claims }
    },

    findRepresentative(organizationIdentifier, email) {
      return locals.find(
        ({ claims }) =>
          claims.organization_identifier === organizationIdentifier &&
          (email === undefined || claims.email === email),
      )
    },
  }
}
