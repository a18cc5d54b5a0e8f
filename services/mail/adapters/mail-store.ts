import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type Database, openDatabase } from '#kit/database.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { MailConfig } from '../config.ts'
import { type ReceivedMail, type SearchKind, searchTextsOf } from '../domain/mailhog-message.ts'
import { readMail } from '../domain/read-mail.ts'

interface MailTables {
  mails: {
    id: string
    /** Unix milliseconds, made unique, so that it orders the emails. */
    received_at: number
    mail_from: string
    /** JSON list. */
    recipients: string
    helo: string
    /** Base64: the bytes of an email need not be text. */
    data: string
    /** Size of the email and of the texts below, in bytes. */
    size: number
    subject: string
    /** Texts for the search, in lower case. */
    search_from: string
    search_to: string
    search_containing: string
  }
}

const createMails: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table mails (
      id text primary key, received_at bigint not null unique, mail_from text not null,
      recipients text not null, helo text not null, data text not null
    )`.execute(database)
  },
}

/**
 * Adds the columns for lists, searches and the size limit. The large columns come last, since
 * SQLite must read past them to reach later ones.
 */
const addSearchTexts: Migration = {
  async up(database: Kysely<MailTables & { former_mails: MailTables['mails'] }>): Promise<void> {
    await database.schema.alterTable('mails').renameTo('former_mails').execute()
    await sql`create table mails (
      id text primary key, received_at bigint not null, size bigint not null,
      mail_from text not null, helo text not null, subject text not null,
      recipients text not null, search_from text not null, search_to text not null,
      search_containing text not null, data text not null
    )`.execute(database)
    await sql`create index mails_by_time on mails (received_at, size)`.execute(database)
    for (const { id } of await database.selectFrom('former_mails').select('id').execute()) {
      const former = await database
        .selectFrom('former_mails')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await database
        .insertInto('mails')
        .values(rowOf(readRow(former)))
        .execute()
    }
    await database.schema.dropTable('former_mails').execute()
  },
}

export interface MailSearch {
  readonly kind: SearchKind
  readonly query: string
}

/** Summary of an email in the inbox. */
export interface MailSummary extends Pick<ReceivedMail, 'id' | 'receivedAt' | 'to'> {
  readonly subject: string
}

export interface ListOptions {
  readonly start?: number
  readonly limit?: number
  readonly search?: MailSearch
}

/** The received emails, newest first. */
export interface MailStore {
  add(mail: ReceivedMail): Promise<void>
  listIds(options?: ListOptions): Promise<readonly string[]>
  listSummaries(limit: number): Promise<readonly MailSummary[]>
  count(search?: MailSearch): Promise<number>
  find(id: string): Promise<ReceivedMail | undefined>
  remove(id: string): Promise<boolean>
  removeAll(): Promise<void>
  /** Reports each new email, until the returned function is called. */
  subscribe(listener: (mail: ReceivedMail) => void): () => void
  readonly check: Database<unknown>['check']
  close(): Promise<void>
}

/** Opens the store, which deletes the oldest emails beyond `maxMessages` and `maxBytes`. */
export async function openMailStore(
  { databaseUrl, maxMessages, maxBytes }: MailConfig,
  runtime: Runtime,
): Promise<MailStore> {
  const database = await openDatabase<MailTables>({
    url: databaseUrl,
    service: 'mail',
    migrations: { '2026-01-mails': createMails, '2026-11-search-texts': addSearchTexts },
    runtime,
  })
  const newest = await database
    .selectFrom('mails')
    .select(({ fn }) => fn.max('received_at').as('received_at'))
    .executeTakeFirst()
  // Emails stay in the order of their arrival, even if the clock was set back in between.
  let lastReceivedAt = Number(newest?.received_at ?? 0)
  runtime.snapshots.add({
    save() {
      const before = lastReceivedAt
      return {
        restore() {
          lastReceivedAt = before
        },
      }
    },
  })
  const matching = (search: MailSearch | undefined) => {
    const mails = database.selectFrom('mails')
    if (search === undefined) return mails
    const pattern = `%${search.query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    return mails.where(
      sql<boolean>`${sql.ref(`search_${search.kind}`)} like ${pattern} escape '\\'`,
    )
  }
  const dropOldest = async () => {
    const totals = database
      .selectFrom('mails')
      .select((select) => [
        'received_at',
        select.fn
          .sum('size')
          .over((over) => over.orderBy('received_at', 'desc'))
          .as('bytes'),
        select.fn
          .countAll()
          .over((over) => over.orderBy('received_at', 'desc'))
          .as('mails'),
      ])
      .as('totals')
    await database
      .deleteFrom('mails')
      .where('received_at', '<=', (select) =>
        select
          .selectFrom(totals)
          .where(({ eb, or }) => or([eb('bytes', '>', maxBytes), eb('mails', '>', maxMessages)]))
          .select(({ fn }) => fn.max('received_at').as('received_at')),
      )
      .execute()
  }
  const listeners = new Set<(mail: ReceivedMail) => void>()
  return {
    async add(mail) {
      lastReceivedAt = Math.max(mail.receivedAt, lastReceivedAt + 1)
      const added = { ...mail, receivedAt: lastReceivedAt }
      await database.insertInto('mails').values(rowOf(added)).execute()
      await dropOldest()
      for (const listener of listeners) listener(added)
    },
    async listIds({ start = 0, limit = maxMessages, search } = {}) {
      const rows = await matching(search)
        .select('id')
        .orderBy('received_at', 'desc')
        .offset(start)
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    async listSummaries(limit) {
      const rows = await database
        .selectFrom('mails')
        .select(['id', 'received_at', 'recipients', 'subject'])
        .orderBy('received_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id, received_at, recipients, subject }) => ({
        id,
        receivedAt: received_at,
        to: JSON.parse(recipients),
        subject,
      }))
    },
    async count(search) {
      const row = await matching(search)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
    async find(id) {
      const row = await database
        .selectFrom('mails')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && readRow(row)
    },
    async remove(id) {
      const result = await database.deleteFrom('mails').where('id', '=', id).executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    async removeAll() {
      await database.deleteFrom('mails').execute()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    check: database.check,
    close: () => database.destroy(),
  }
}

function rowOf(mail: ReceivedMail): MailTables['mails'] {
  const { from, to, containing } = searchTextsOf(mail)
  const data = Buffer.from(mail.data).toString('base64')
  const recipients = JSON.stringify(mail.to)
  const { subject } = readMail(mail.data)
  return {
    id: mail.id,
    received_at: mail.receivedAt,
    mail_from: mail.from,
    recipients,
    helo: mail.helo,
    data,
    subject: storable(subject),
    search_from: storable(from),
    search_to: storable(to),
    search_containing: storable(containing),
    size: [data, recipients, subject, from, to, containing].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      0,
    ),
  }
}

/** PostgreSQL cannot store U+0000 in text. */
const storable = (text: string) => text.replaceAll('\0', '\ufffd')

function readRow(row: MailTables['mails']): ReceivedMail {
  return {
    id: row.id,
    receivedAt: row.received_at,
    from: row.mail_from,
    to: JSON.parse(row.recipients),
    helo: row.helo,
    data: Buffer.from(row.data, 'base64'),
  }
}
