import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { IssuanceState } from '../domain/issuance-states.ts'

/** One issuance from its offer to its delivery. Times are Unix seconds. */
export interface IssuanceRow {
  /** Random; part of the address of an offer by reference. */
  id: string
  subject_id: string
  state: IssuanceState
  preauth_code: string
  /** JSON list of credential type ids. */
  vc_names: string
  /** JSON of the offer's tx_code. */
  tx_code: string | null
  pin_digest: string | null
  pin_attempts: number
  deferred_seconds: number | null
  /** What a prepared credential is made from; null where the issuer's claims are signed. */
  recipe: string | null
  offer_expires_at: number
  access_token_digest: string | null
  access_token_expires_at: number | null
  c_nonce: string | null
  c_nonce_expires_at: number | null
  credential_type: string | null
  holder_did: string | null
  acceptance_token_digest: string | null
  ready_at: number | null
  credential_id: string | null
  credential: string | null
  /** 1 once the issuer has revoked it. */
  revoked: number
  created_at: number
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

export const connectorMigrations = {
  '2026-01-issuances': createTables,
  '2026-02-recipe': addRecipe,
}
