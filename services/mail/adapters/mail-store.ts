import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type Database, openDatabase } from '#kit/open-database.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { MailConfig } from '../config.ts'
import type { ReceivedMail } from '../domain/mailhog-message.ts'

interface MailTables {
  mails: {
    id: string
    /** Unix milliseconds, made unique, so that it orders the mails. */
    received_at: number
    mail_from: string
    /** JSON list. */
    recipients: string
    helo: string
    /** Base64: the mail's bytes need not be text. */
    data: string
  }
}

const createMails: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('mails')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('received_at', 'bigint', (column) => column.notNull().unique())
      .addColumn('mail_from', 'text', (column) => column.notNull())
      .addColumn('recipients', 'text', (column) => column.notNull())
      .addColumn('helo', 'text', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .execute()
  },
}

/** The received mails, newest first. */
export interface MailStore {
  add(mail: ReceivedMail): Promise<void>
  list(options?: { start?: number; limit?: number }): Promise<readonly ReceivedMail[]>
  count(): Promise<number>
  find(id: string): Promise<ReceivedMail | undefined>
  remove(id: string): Promise<boolean>
  removeAll(): Promise<void>
  /** Tells of each mail that is added from now on; the answer ends it. */
  subscribe(listener: (mail: ReceivedMail) => void): () => void
  readonly check: Database<unknown>['check']
  close(): Promise<void>
}

/** Opens the store; mails beyond `maxMessages` are dropped, the oldest first. */
export async function openMailStore(
  { databaseUrl, maxMessages }: MailConfig,
  runtime: Runtime,
): Promise<MailStore> {
  const database = await openDatabase<MailTables>({
    url: databaseUrl,
    service: 'mail',
    migrations: { '2026-01-mails': createMails },
    runtime,
  })
  const newest = await database
    .selectFrom('mails')
    .select(({ fn }) => fn.max('received_at').as('received_at'))
    .executeTakeFirst()
  // Mails stay in the order of their arrival even where the clock was set back in between.
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
  const listeners = new Set<(mail: ReceivedMail) => void>()
  return {
    async add({ id, receivedAt, from, to, helo, data }) {
      lastReceivedAt = Math.max(receivedAt, lastReceivedAt + 1)
      await database
        .insertInto('mails')
        .values({
          id,
          received_at: lastReceivedAt,
          mail_from: from,
          recipients: JSON.stringify(to),
          helo,
          data: Buffer.from(data).toString('base64'),
        })
        .execute()
      const oldest = await database
        .selectFrom('mails')
        .select('received_at')
        .orderBy('received_at', 'desc')
        .offset(maxMessages)
        .limit(1)
        .executeTakeFirst()
      if (oldest) {
        await database.deleteFrom('mails').where('received_at', '<=', oldest.received_at).execute()
      }
      const added = { id, receivedAt: lastReceivedAt, from, to, helo, data }
      for (const listener of listeners) listener(added)
    },
    async list({ start = 0, limit = maxMessages } = {}) {
      const rows = await database
        .selectFrom('mails')
        .selectAll()
        .orderBy('received_at', 'desc')
        .offset(start)
        .limit(limit)
        .execute()
      return rows.map(readRow)
    },
    async count() {
      const row = await database
        .selectFrom('mails')
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
