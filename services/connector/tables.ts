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
  /** Digest of the name in the address of an offer by reference. */
  reference_digest: string
  /** The code, encrypted with that name. */
  sealed_code: string
  /** JSON list of credential type ids. */
  vc_names: string
  /** JSON of the offer's tx_code. */
  tx_code: string | null
  /** Of code and PIN: the digest of a PIN alone could be found by trying all. */
  pin_digest: string | null
  pin_attempts: number
  deferred_seconds: number | null
  /** Recipe of a prepared credential; null if the issuer's claims are signed. */
  recipe: string | null
  offer_expires_at: number
  access_token_digest: string | null
  access_token_expires_at: number | null
  c_nonce_digest: string | null
  c_nonce_expires_at: number | null
  /** 1 after the issuer has withdrawn it. */
  revoked: number
  created_at: number
  updated_at: number
}

/** A credential of an offer, from the wallet's first request on. Times are Unix seconds. */
export interface CredentialRow {
  issuance_id: string
  credential_type: string
  state: CredentialState
  holder_did: string
  acceptance_token_digest: string | null
  ready_at: number | null
  credential_id: string | null
  /** The credential, encrypted with the token of its request; deleted some time later. */
  credential: string | null
  /** 1 after the issuer has revoked it. */
  revoked: number
  updated_at: number
}

/** A confirmation for the issuer, to be delivered at least once. */
export interface NotificationRow {
  id: string
  subject_id: string
  credential_id: string
  event: string
  attempts: number
  /** Unix milliseconds. */
  next_attempt_at: number
  /** Unix milliseconds; null until the issuer responds. */
  finished_at: number | null
}

export interface ConnectorTables {
  issuances: IssuanceRow
  credentials: CredentialRow
  notifications: NotificationRow
}

const createTables: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table issuances (
      id text primary key, subject_id text not null unique, state text not null,
      preauth_code text not null unique, vc_names text not null, tx_code text, pin_digest text,
      pin_attempts integer not null, deferred_seconds integer, offer_expires_at bigint not null,
      access_token_digest text unique, access_token_expires_at bigint, c_nonce text,
      c_nonce_expires_at bigint, credential_type text, holder_did text,
      acceptance_token_digest text unique, ready_at bigint, credential_id text unique,
      credential text, revoked integer not null, created_at bigint not null,
      updated_at bigint not null
    )`.execute(database)
    await sql`create table notifications (
      id text primary key, subject_id text not null, credential_id text not null,
      event text not null, attempts integer not null, next_attempt_at bigint not null,
      finished_at bigint
    )`.execute(database)
    await sql`create index notifications_due on notifications (finished_at, next_attempt_at)`.execute(
      database,
    )
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
 * An offer may contain several credentials, so each gets its own row. Rebuilds the table of
 * issuances, as SQLite cannot drop unique columns.
 */
const addCredentials: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database
    await sql`create table credentials (
      issuance_id text not null, credential_type text not null, state text not null,
      holder_did text not null, acceptance_token_digest text unique, ready_at bigint,
      credential_id text unique, credential text, revoked integer not null,
      updated_at bigint not null,
      constraint credentials_key primary key (issuance_id, credential_type)
    )`.execute(database)
    await sql`insert into credentials
      select id, credential_type, state, holder_did, acceptance_token_digest, ready_at,
        credential_id, credential, revoked, updated_at
      from issuances where credential_type is not null and holder_did is not null`.execute(database)
    await sql`update issuances set state = 'redeemed'
      where state in ('deferred', 'signed', 'delivered')`.execute(database)
    await sql`create table offers (
      id text primary key, subject_id text not null unique, state text not null,
      preauth_code text not null unique, vc_names text not null, tx_code text, pin_digest text,
      pin_attempts integer not null, deferred_seconds integer, recipe text,
      offer_expires_at bigint not null, access_token_digest text unique,
      access_token_expires_at bigint, c_nonce text, c_nonce_expires_at bigint,
      revoked integer not null, created_at bigint not null, updated_at bigint not null
    )`.execute(database)
    const columns = sql.join(offerColumns.map((column) => sql.ref(column)))
    await sql`insert into offers (${columns}) select ${columns} from issuances`.execute(database)
    await schema.dropTable('issuances').execute()
    await schema.alterTable('offers').renameTo('issuances').execute()
  },
}

/**
 * From here on, codes, tokens, PINs and nonces are stored as digests, and credentials encrypted.
 */
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
        // It was the name of an offer by reference, so there may be links with it.
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
    // These cannot be encrypted, since the migration has no token.
    await tables.updateTable('credentials').set({ credential: null }).execute()
    await sql`create unique index issuances_reference on issuances (reference_digest)`.execute(
      database,
    )
  },
}

export const migrations = {
  '2026-01-issuances': createTables,
  '2026-02-recipe': addRecipe,
  '2026-03-credentials': addCredentials,
  '2026-04-digests': keepDigests,
}
