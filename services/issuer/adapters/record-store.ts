import { randomInt } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { fewestEntries } from '#core/status-list/bitstring.ts'
import { prepareQuery } from '#kit/database.ts'
import type { Clock } from '#kit/runtime.ts'
import { type RecordEvent, type RecordStatus, recordTransitions } from '../domain/record-states.ts'
import type { IssuerTables, MailRow, RecordRow } from '../tables.ts'

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
  /** Creates a pending record, together with its email, if there is one to send. */
  create(record: NewRecord, mail?: MailRow): Promise<void>
  findById(id: string): Promise<RecordRow | undefined>
  /** One for each credential of the subject's offer. */
  listBySubjectId(subjectId: string): Promise<readonly RecordRow[]>
  findByCredentialId(credentialId: string): Promise<RecordRow | undefined>
  /** Newest first, in portions, so that a long list is never completely in memory. */
  listByOrganizations(identifiers: readonly string[]): AsyncIterable<readonly ListedRecord[]>
  /**
   * Applies an event by the table of transitions, safely for concurrent calls, and returns the
   * updated record. A credential_id of a Connector only replaces that of a pending record.
   * Undefined if the table rejects the event, the record cannot change its credential_id any more,
   * or another record has it.
   */
  apply(id: string, event: RecordEvent, credentialId?: string): Promise<RecordRow | undefined>
  /** Stores the expiry of the credential being created, in Unix seconds. */
  setValidUntil(id: string, validUntil: number): Promise<void>
  /** Whether a record has its status list index in this range, excluding the end. */
  hasStatusIndexes(from: number, to: number): Promise<boolean>
  /** Number of revoked records with an index in this range, excluding the end. */
  countRevoked(from: number, to: number): Promise<number>
  revokedIndexes(from: number, to: number): Promise<readonly number[]>
}

const mostAttempts = 60
const listedColumns = [
  'id',
  'position',
  'vc_type',
  'subject_id',
  'organization_identifier',
  'status',
  'credential_id',
  'valid_until',
  'created_at',
  'updated_at',
] as const

/** The columns for the list of records. */
export type ListedRecord = Pick<RecordRow, (typeof listedColumns)[number]>

const portion = 500

export function createRecordStore(database: Kysely<IssuerTables>, clock: Clock): RecordStore {
  const queries = prepareRecordQueries(database)
  const find = (column: 'id' | 'credential_id', value: string) =>
    (column === 'id' ? queries.findById : queries.findByCredentialId).first({ value })

  const selectRevoked = (from: number, to: number) =>
    database
      .selectFrom('records')
      .where('status', '=', 'revoked')
      .where('status_index', '>=', from)
      .where('status_index', '<', to)

  const insertRecord = async (record: NewRecord, on?: Kysely<IssuerTables>) => {
    await queries.insert.change({ ...record, place: drawPlace(), now: clock.milliseconds() }, on)
  }
  const insert = (record: NewRecord, mail: MailRow | undefined) =>
    mail === undefined
      ? insertRecord(record)
      : database.transaction().execute(async (transaction) => {
          await insertRecord(record, transaction)
          await transaction.insertInto('mails').values(mail).execute()
        })

  return {
    async create(record, mail) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await insert(record, mail)
        } catch (error) {
          // The index is taken, or another process has used the same position.
          if (attempt >= mostAttempts || !isUniqueViolation(error)) throw error
        }
      }
    },
    findById: (id) => find('id', id),
    listBySubjectId: (subjectId) => queries.listBySubjectId.all({ subjectId }),
    // Stored in lower case; a UUID may be in any case (RFC 9562), as in notifications.
    findByCredentialId: (credentialId) =>
      find(
        'credential_id',
        credentialId.startsWith('urn:uuid:') ? credentialId.toLowerCase() : credentialId,
      ),
    async *listByOrganizations(identifiers) {
      if (identifiers.length === 0) return
      let before: number | undefined
      for (;;) {
        const rows: ListedRecord[] = await database
          .selectFrom('records')
          .select(listedColumns)
          .where('organization_identifier', 'in', [...identifiers])
          .$if(before !== undefined, (query) => query.where('position', '<', before ?? 0))
          .orderBy('position', 'desc')
          .limit(portion)
          .execute()
        if (rows.length > 0) yield rows
        if (rows.length < portion) return
        before = rows.at(-1)?.position
      }
    },
    async apply(id, event, credentialId) {
      for (;;) {
        const record = await find('id', id)
        if (!record) return undefined
        const status = recordTransitions[record.status][event]
        if (status === 'refused') return undefined
        const credential_id = credentialId ?? record.credential_id
        const isOther = credential_id !== record.credential_id
        if (isOther && record.status !== 'pending') return undefined
        if (status === record.status && !isOther) return record
        const updated_at = clock.milliseconds()
        const changed = await queries.apply
          .change({ id, before: record.status, status, credential_id, updated_at })
          .catch((error: unknown) => {
            if (isUniqueViolation(error)) return undefined
            throw error
          })
        if (changed === undefined) return undefined
        if (changed > 0) return { ...record, status, credential_id, updated_at }
      }
    },
    async setValidUntil(id, validUntil) {
      await queries.setValidUntil.change({ id, validUntil })
    },
    async hasStatusIndexes(from, to) {
      const found = await database
        .selectFrom('records')
        .select('status_index')
        .where('status_index', '>=', from)
        .where('status_index', '<', to)
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    },
    async countRevoked(from, to) {
      const { revoked } = await selectRevoked(from, to)
        .select(({ fn }) => fn.countAll().as('revoked'))
        .executeTakeFirstOrThrow()
      return Number(revoked)
    },
    async revokedIndexes(from, to) {
      const rows = await selectRevoked(from, to).select('status_index').execute()
      return rows.map(({ status_index }) => Number(status_index))
    },
  }
}

/** The queries of each issuance. */
function prepareRecordQueries(database: Kysely<IssuerTables>) {
  const find = (column: 'id' | 'credential_id') =>
    prepareQuery(database, ({ value }: { value: string }) =>
      database.selectFrom('records').selectAll().where(column, '=', value),
    )
  type Step = Pick<RecordRow, 'id' | 'status' | 'credential_id' | 'updated_at'>
  return {
    findById: find('id'),
    findByCredentialId: find('credential_id'),
    listBySubjectId: prepareQuery(database, ({ subjectId }: { subjectId: string }) =>
      database
        .selectFrom('records')
        .selectAll()
        .where('subject_id', '=', subjectId)
        .orderBy('position'),
    ),
    insert: prepareQuery(
      database,
      ({ place, now, ...record }: NewRecord & { readonly place: number; readonly now: number }) => {
        const position = sql<number>`(select coalesce(max(position), -1) + 1 from records)`
        return database.insertInto('records').values({
          ...record,
          position,
          status_index: statusIndexOf(position, place),
          status: 'pending',
          valid_until: null,
          created_at: now,
          updated_at: now,
        })
      },
    ),
    apply: prepareQuery(
      database,
      ({ id, before, ...changes }: Step & { readonly before: RecordStatus }) =>
        database
          .updateTable('records')
          .set(changes)
          .where('id', '=', id)
          .where('status', '=', before),
    ),
    setValidUntil: prepareQuery(
      database,
      ({ id, validUntil }: { readonly id: string; readonly validUntil: number }) =>
        database
          .updateTable('records')
          .set({ valid_until: validUntil })
          .where('id', '=', id)
          .where('status', '=', 'pending'),
    ),
  }
}

/**
 * The index of the record at a position, by a random place in its list, which reveals neither its
 * order nor its neighbours (Bitstring Status List 1.0, Privacy Considerations). Lists are only half
 * filled, so that a random index is soon a free one; the unique column decides.
 */
function statusIndexOf(position: RawBuilder<number>, place: number): RawBuilder<number> {
  const perList = sql.lit(fewestEntries / 2)
  return sql<number>`${position} / ${perList} * ${sql.lit(fewestEntries)} + ${place}`
}

const drawPlace = () => randomInt(fewestEntries)

// SQLSTATE unique_violation, and SQLITE_CONSTRAINT_UNIQUE.
function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === '23505' || errcode === 2067
}
