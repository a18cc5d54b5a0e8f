import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { digest, seal } from '#kit/secrets.ts'
import type { CredentialState, OfferState } from './domain/issuance-states.ts'

/** An offer and the access token that its code was exchanged for. Times are Unix seconds. */
export interface IssuanceRow {
  id: string
  subject_id: string
  state: OfferState
  preauth_code_digest: string
  /** Digest of the name by which an offer by reference is fetched. */
  reference_digest: string
  /** The code, sealed by that name. */
  sealed_code: string
  /** JSON list of credential type ids. */
  vc_names: string
  /** JSON of the offer's tx_code. */
  tx_code: string | null
  /** Over code and PIN: a PIN alone is found by trying all. */
  pin_digest: string | null
  pin_attempts: number
  deferred_seconds: number | null
  /** What a prepared credential is made from; null where the issuer's claims are signed. */
  recipe: string | null
  offer_expires_at: number
  access_token_digest: string | null
  access_token_expires_at: number | null
  c_nonce_digest: string | null
  c_nonce_expires_at: number | null
  /** 1 once the issuer has withdrawn it. */
  revoked: number
  created_at: number
  updated_at: number
}

/** A credential of an offer, from the wallet's first request for it. Times are Unix seconds. */
export interface CredentialRow {
  issuance_id: string
  credential_type: string
  state: CredentialState
  holder_did: string
  acceptance_token_digest: string | null
  ready_at: number | null
  credential_id: string | null
  /** The credential, sealed by the token that it was requested with; gone some time after. */
  credential: string | null
  /** 1 once the issuer has revoked it. */
  revoked: number
  updated_at: number
}

/** A confirmation that the issuer has to get, at least once. */
export interface NotificationRow {
  id: string
  subject_id: string
  credential_id: string
  event: string
  attempts: number
  /** Unix milliseconds. */
  next_attempt_at: number
  /** Unix milliseconds; null until the issuer has answered. */
  finished_at: number | null
}

export interface ConnectorTables {
  issuances: IssuanceRow
  credentials: CredentialRow
  notifications: NotificationRow
}

const createTables: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('issuances')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('subject_id', 'text', (column) => column.notNull().unique())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('preauth_code', 'text', (column) => column.notNull().unique())
      .addColumn('vc_names', 'text', (column) => column.notNull())
      .addColumn('tx_code', 'text')
      .addColumn('pin_digest', 'text')
      .addColumn('pin_attempts', 'integer', (column) => column.notNull())
      .addColumn('deferred_seconds', 'integer')
      .addColumn('offer_expires_at', 'bigint', (column) => column.notNull())
      .addColumn('access_token_digest', 'text', (column) => column.unique())
      .addColumn('access_token_expires_at', 'bigint')
      .addColumn('c_nonce', 'text')
      .addColumn('c_nonce_expires_at', 'bigint')
      .addColumn('credential_type', 'text')
      .addColumn('holder_did', 'text')
      .addColumn('acceptance_token_digest', 'text', (column) => column.unique())
      .addColumn('ready_at', 'bigint')
      .addColumn('credential_id', 'text', (column) => column.unique())
      .addColumn('credential', 'text')
      .addColumn('revoked', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
    await database.schema
      .createTable('notifications')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('credential_id', 'text', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute()
    await database.schema
      .createIndex('notifications_due')
      .on('notifications')
      .columns(['finished_at', 'next_attempt_at'])
      .execute()
  },
}

const addRecipe: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema.alterTable('issuances').addColumn('recipe', 'text').execute()
  },
}

const offerColumns = [
  'id',
  'subject_id',
  'state',
  'preauth_code',
  'vc_names',
  'tx_code',
  'pin_digest',
  'pin_attempts',
  'deferred_seconds',
  'recipe',
  'offer_expires_at',
  'access_token_digest',
  'access_token_expires_at',
  'c_nonce',
  'c_nonce_expires_at',
  'revoked',
  'created_at',
  'updated_at',
] as const

/**
 * An offer may hold several credentials: what belongs to one of them gets its own row. The table of
 * issuances is built again, as SQLite drops no column that is unique.
 */
const addCredentials: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database
    await schema
      .createTable('credentials')
      .addColumn('issuance_id', 'text', (column) => column.notNull())
      .addColumn('credential_type', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('holder_did', 'text', (column) => column.notNull())
      .addColumn('acceptance_token_digest', 'text', (column) => column.unique())
      .addColumn('ready_at', 'bigint')
      .addColumn('credential_id', 'text', (column) => column.unique())
      .addColumn('credential', 'text')
      .addColumn('revoked', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('credentials_key', ['issuance_id', 'credential_type'])
      .execute()
    await sql`insert into credentials
      select id, credential_type, state, holder_did, acceptance_token_digest, ready_at,
        credential_id, credential, revoked, updated_at
      from issuances where credential_type is not null and holder_did is not null`.execute(database)
    await sql`update issuances set state = 'redeemed'
      where state in ('deferred', 'signed', 'delivered')`.execute(database)
    await schema
      .createTable('offers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('subject_id', 'text', (column) => column.notNull().unique())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('preauth_code', 'text', (column) => column.notNull().unique())
      .addColumn('vc_names', 'text', (column) => column.notNull())
      .addColumn('tx_code', 'text')
      .addColumn('pin_digest', 'text')
      .addColumn('pin_attempts', 'integer', (column) => column.notNull())
      .addColumn('deferred_seconds', 'integer')
      .addColumn('recipe', 'text')
      .addColumn('offer_expires_at', 'bigint', (column) => column.notNull())
      .addColumn('access_token_digest', 'text', (column) => column.unique())
      .addColumn('access_token_expires_at', 'bigint')
      .addColumn('c_nonce', 'text')
      .addColumn('c_nonce_expires_at', 'bigint')
      .addColumn('revoked', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
    const columns = sql.join(offerColumns.map((column) => sql.ref(column)))
    await sql`insert into offers (${columns}) select ${columns} from issuances`.execute(database)
    await schema.dropTable('issuances').execute()
    await schema.alterTable('offers').renameTo('issuances').execute()
  },
}

/** From here on only digests of codes, tokens, PINs and nonces are kept, and credentials sealed. */
const keepDigests: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database
    const rename = (from: string, to: string) =>
      schema.alterTable('issuances').renameColumn(from, to).execute()
    await rename('preauth_code', 'preauth_code_digest')
    await rename('c_nonce', 'c_nonce_digest')
    for (const column of ['reference_digest', 'sealed_code']) {
      await schema
        .alterTable('issuances')
        .addColumn(column, 'text', (built) => built.notNull().defaultTo(''))
        .execute()
    }
    const tables = database as Kysely<ConnectorTables>
    const rows = await tables
      .selectFrom('issuances')
      .select(['id', 'preauth_code_digest', 'pin_digest', 'c_nonce_digest'])
      .execute()
    for (const { id, preauth_code_digest: code, pin_digest, c_nonce_digest: nonce } of rows) {
      const changes = {
        // It was the name of an offer by reference, of which links may be under way.
        id: randomUUID(),
        preauth_code_digest: digest(code),
        reference_digest: digest(id),
        sealed_code: seal(code, id),
        pin_digest: pin_digest === null ? null : digest(`${code} ${pin_digest}`),
        c_nonce_digest: nonce === null ? null : digest(nonce),
      }
      await tables.updateTable('issuances').set(changes).where('id', '=', id).execute()
      await tables
        .updateTable('credentials')
        .set({ issuance_id: changes.id })
        .where('issuance_id', '=', id)
        .execute()
    }
    // Those cannot be sealed: nobody presents a token here.
    await tables.updateTable('credentials').set({ credential: null }).execute()
    await schema
      .createIndex('issuances_reference')
      .unique()
      .on('issuances')
      .column('reference_digest')
      .execute()
  },
}

export const connectorMigrations = {
  '2026-01-issuances': createTables,
  '2026-02-recipe': addRecipe,
  '2026-03-credentials': addCredentials,
  '2026-04-digests': keepDigests,
}
