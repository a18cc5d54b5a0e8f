import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { MailLanguage } from './domain/offer-mail.ts'
import type { RecordStatus } from './domain/record-states.ts'

/** A record of an issued credential (profile/issuer, Records) with its source data. */
export interface RecordRow {
  id: string
  /** Counts from 0, in the order of creation. */
  position: number
  /** Index in the status lists, counted across all lists; drawn at random, used once. */
  status_index: number
  vc_type: string
  subject_id: string
  organization_identifier: string
  status: RecordStatus
  credential_id: string
  /** Name of the Connector profile. */
  profile: string
  /** JSON of the credential's mandate. */
  mandate: string
  /** Unix seconds; set after the Connector has requested the claims. */
  valid_until: number | null
  /** Unix milliseconds. */
  created_at: number
  /** Unix milliseconds. */
  updated_at: number
}

/** An email with an offer, to be sent. Times are Unix milliseconds. */
export interface MailRow {
  id: string
  record_id: string
  recipient: string
  language: MailLanguage
  state: 'queued' | 'sent' | 'cancelled' | 'refused'
  attempts: number
  next_attempt_at: number
  /** Identifiers of the original request, so that traces stay together. */
  request_id: string | null
  scenario_id: string | null
  created_at: number
  /** The offer in the last attempt, encrypted with the issuer's key, until the email is done. */
  offer_link: string | null
  offer_expires_at: number | null
  /** Message-ID of the email with that offer. */
  message_id: string | null
}

export interface IssuerTables {
  records: RecordRow
  mails: MailRow
}

const createTables: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table records (
      id text primary key, position bigint not null unique, vc_type text not null,
      subject_id text not null unique, organization_identifier text not null,
      status text not null, credential_id text not null unique, profile text not null,
      mandate text not null, valid_until bigint, created_at bigint not null,
      updated_at bigint not null
    )`.execute(database)
    await sql`create index records_organization on records (organization_identifier, position)`.execute(
      database,
    )
    await sql`create index records_status on records (status, position)`.execute(database)
    await sql`create table mails (
      id text primary key, record_id text not null, recipient text not null, state text not null,
      attempts integer not null, next_attempt_at bigint not null, request_id text,
      scenario_id text, created_at bigint not null
    )`.execute(database)
    await sql`create index mails_due on mails (state, next_attempt_at)`.execute(database)
  },
}

/** Issued credentials contain their list index, so it is kept: it was the position. */
const addStatusIndex: Migration = {
  async up(database: Kysely<IssuerTables>): Promise<void> {
    await database.schema.alterTable('records').addColumn('status_index', 'bigint').execute()
    await database
      .updateTable('records')
      .set(({ ref }) => ({ status_index: ref('position') }))
      .execute()
    await sql`create unique index records_status_index on records (status_index)`.execute(database)
    await sql`create index records_revoked on records (status, status_index)`.execute(database)
    await database.schema.dropIndex('records_status').execute()
  },
}

const addMailOffers: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const add = (name: string, type: 'text' | 'bigint') =>
      database.schema.alterTable('mails').addColumn(name, type).execute()
    await database.schema
      .alterTable('mails')
      .addColumn('language', 'text', (column) => column.notNull().defaultTo('en'))
      .execute()
    await add('offer_link', 'text')
    await add('offer_expires_at', 'bigint')
    await add('message_id', 'text')
  },
}

/**
 * One offer may contain credentials of several types: a subject has one record of each. Rebuilds
 * the table, as SQLite cannot drop column constraints.
 */
const allowSeveralTypes: Migration = {
  async up(database: Kysely<IssuerTables>): Promise<void> {
    const { schema } = database
    await sql`create table records_by_type (
      id text primary key, position bigint not null unique, vc_type text not null,
      subject_id text not null, organization_identifier text not null, status text not null,
      credential_id text not null unique, profile text not null, mandate text not null,
      valid_until bigint, created_at bigint not null, updated_at bigint not null,
      status_index bigint, constraint records_subject_type unique (subject_id, vc_type)
    )`.execute(database)
    await sql`insert into records_by_type
      select id, position, vc_type, subject_id, organization_identifier, status, credential_id,
        profile, mandate, valid_until, created_at, updated_at, status_index
      from records`.execute(database)
    await schema.dropTable('records').execute()
    await schema.alterTable('records_by_type').renameTo('records').execute()
    await sql`create index records_organization on records (organization_identifier, position)`.execute(
      database,
    )
    await sql`create unique index records_status_index on records (status_index)`.execute(database)
    await sql`create index records_revoked on records (status, status_index)`.execute(database)
  },
}

export const migrations = {
  '2026-01-records': createTables,
  '2026-02-status-index': addStatusIndex,
  '2026-03-mail-offers': addMailOffers,
  '2026-04-several-types': allowSeveralTypes,
}
