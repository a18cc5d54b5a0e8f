import type { Kysely } from 'kysely'
import type { Clock } from '#kit/runtime.ts'
import { digest, randomToken, secretsEqual } from '#kit/secrets.ts'
import type { TokenIssuerTables } from '../tables.ts'

/** Long enough to get a phone, find the wallet and scan. */
const loginLifetime = 900
const ticketLifetime = 60

/** Values that the external provider must return, and values for the code exchange. */
export interface BrokerLogin {
  readonly alias: string
  readonly interaction: string
  readonly nonce: string
  readonly codeVerifier: string
}

export interface BrokerStore {
  /** @param browser secret in a cookie of the browser that starts this login */
  begin(login: BrokerLogin, state: string, browser: string): Promise<void>
  /** Takes the login of that state, once, and only for the browser that started it. */
  take(alias: string, state: string, browser: string): Promise<BrokerLogin | undefined>
  /** Creates a one-time code that completes the login of this interaction. */
  createTicket(interaction: string, accountId: string): Promise<string>
  /** Returns the account of that ticket, once, and only for its own interaction. */
  redeemTicket(interaction: string, ticket: string): Promise<string | undefined>
}

/**
 * Pending logins at external providers. Codes are random, used once, bound to their browser, and
 * stored as digests.
 * @assumption A-36
 */
export function createBrokerStore(database: Kysely<TokenIssuerTables>, clock: Clock): BrokerStore {
  return {
    async begin(login, state, browser) {
      const now = clock.seconds()
      await database.deleteFrom('broker_logins').where('expires_at', '<=', now).execute()
      await database
        .insertInto('broker_logins')
        .values({
          state_digest: digest(state),
          alias: login.alias,
          interaction: login.interaction,
          nonce: login.nonce,
          code_verifier: login.codeVerifier,
          browser_digest: digest(browser),
          expires_at: now + loginLifetime,
        })
        .execute()
    },

    async take(alias, state, browser) {
      const row = await database
        .deleteFrom('broker_logins')
        .where('state_digest', '=', digest(state))
        .returningAll()
        .executeTakeFirst()
      if (row === undefined || row.alias !== alias || row.expires_at <= clock.seconds()) {
        return undefined
      }
      if (!secretsEqual(digest(browser), row.browser_digest)) return undefined
      const { interaction, nonce, code_verifier: codeVerifier } = row
      return { alias, interaction, nonce, codeVerifier }
    },

    async createTicket(interaction, accountId) {
      const now = clock.seconds()
      const ticket = randomToken()
      await database.deleteFrom('broker_tickets').where('expires_at', '<=', now).execute()
      await database
        .insertInto('broker_tickets')
        .values({
          ticket_digest: digest(ticket),
          interaction,
          account_id: accountId,
          expires_at: now + ticketLifetime,
        })
        .execute()
      return ticket
    },

    async redeemTicket(interaction, ticket) {
      const row = await database
        .deleteFrom('broker_tickets')
        .where('ticket_digest', '=', digest(ticket))
        .returningAll()
        .executeTakeFirst()
      const isGood =
        row !== undefined && row.interaction === interaction && row.expires_at > clock.seconds()
      return isGood ? row.account_id : undefined
    },
  }
}
