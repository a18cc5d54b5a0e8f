import { type Kysely, sql } from 'kysely'
import type { Clock } from '#kit/clock.ts'
import { type RecordEvent, recordTransitions } from '../domain/record-states.ts'
import type { IssuerTables, MailRow, RecordRow } from './issuer-tables.ts'

export type NewRecord = Pick<
  RecordRow,
  | 'id'
  | 'vc_type'
  | 'subject_id'
  | 'organization_identifier'
  | 'credential_id'
  | 'profile'
  | 'mandate'
>

export interface RecordStore {
  /** Creates a pending record, together with a mail that has to go out where there is one. */
  create(record: NewRecord, mail?: MailRow): Promise<void>
  findById(id: string): Promise<RecordRow | undefined>
  findBySubjectId(subjectId: string): Promise<RecordRow | undefined>
  findByCredentialId(credentialId: string): Promise<RecordRow | undefined>
  /** Newest first. */
  listByOrganizations(identifiers: readonly string[]): Promise<readonly RecordRow[]>
  /**
   * Applies an event by the table of transitions, however many do so at once, and gives the record
   * after it; undefined where the record was not in one of the states `from`, or another record has
   * the credential_id.
   */
  apply(
    id: string,
    event: RecordEvent,
    options?: { from?: readonly RecordRow['status'][]; credentialId?: string },
  ): Promise<RecordRow | undefined>
  /** Notes until when the credential that is being made will be valid, Unix seconds. */
  setValidUntil(id: string, validUntil: number): Promise<void>
  /** How many records of these positions are revoked, and how many there are at all. */
  countRevoked(from: number, to: number): Promise<{ revoked: number; known: number }>
  revokedPositions(from: number, to: number): Promise<readonly number[]>
}

const all = ['pending', 'issued', 'revoked'] as const

export function createRecordStore(database: Kysely<IssuerTables>, clock: Clock): RecordStore {
  const find = (column: 'id' | 'subject_id' | 'credential_id', value: string) =>
    database.selectFrom('records').selectAll().where(column, '=', value).executeTakeFirst()

  const insert = (record: NewRecord, mail: MailRow | undefined) =>
    database.transaction().execute(async (transaction) => {
      const now = clock.milliseconds()
      await transaction
        .insertInto('records')
        .values({
          ...record,
          position: sql<number>`(select coalesce(max(position), -1) + 1 from records)`,
          status: 'pending',
          valid_until: null,
          created_at: now,
          updated_at: now,
        })
        .execute()
      if (mail) await transaction.insertInto('mails').values(mail).execute()
    })

  return {
    async create(record, mail) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await insert(record, mail)
        } catch (error) {
          // PostgreSQL lets two processes compute the same position; the unique column decides.
          if (attempt >= 20 || !isUniqueViolation(error)) throw error
        }
      }
    },
    findById: (id) => find('id', id),
    findBySubjectId: (subjectId) => find('subject_id', subjectId),
    findByCredentialId: (credentialId) => find('credential_id', credentialId),
    async listByOrganizations(identifiers) {
      if (identifiers.length === 0) return []
      return database
        .selectFrom('records')
        .selectAll()
        .where('organization_identifier', 'in', [...identifiers])
        .orderBy('position', 'desc')
        .execute()
    },
    async apply(id, event, { from = all, credentialId } = {}) {
      for (;;) {
        const record = await find('id', id)
        if (!record || !from.includes(record.status)) return undefined
        const status = recordTransitions[record.status][event]
        const credential_id = credentialId ?? record.credential_id
        if (status === record.status && credential_id === record.credential_id) return record
        const updated_at = clock.milliseconds()
        const result = await database
          .updateTable('records')
          .set({ status, credential_id, updated_at })
          .where('id', '=', id)
          .where('status', '=', record.status)
          .executeTakeFirst()
          .catch((error: unknown) => {
            if (isUniqueViolation(error)) return undefined
            throw error
          })
        if (!result) return undefined
        if (result.numUpdatedRows > 0n) return { ...record, status, credential_id, updated_at }
      }
    },
    async setValidUntil(id, validUntil) {
      await database
        .updateTable('records')
        .set({ valid_until: validUntil })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .execute()
    },
    async countRevoked(from, to) {
      const row = await database
        .selectFrom('records')
        .select(({ fn }) => [
          fn.countAll().as('known'),
          fn.sum<number>(sql`case when status = 'revoked' then 1 else 0 end`).as('revoked'),
        ])
        .where('position', '>=', from)
        .where('position', '<', to)
        .executeTakeFirstOrThrow()
      return { revoked: Number(row.revoked ?? 0), known: Number(row.known) }
    },
    async revokedPositions(from, to) {
      const rows = await database
        .selectFrom('records')
        .select('position')
        .where('status', '=', 'revoked')
        .where('position', '>=', from)
        .where('position', '<', to)
        .execute()
      return rows.map(({ position }) => Number(position))
    },
  }
}

// SQLSTATE unique_violation, and SQLITE_CONSTRAINT_UNIQUE.
function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === '23505' || errcode === 2067
}
