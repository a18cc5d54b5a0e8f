import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Clock } from '#kit/clock.ts'
import { issuanceSteps } from '../domain/issuance-states.ts'
import type { ConnectorTables, IssuanceRow } from './connector-tables.ts'

/** What is kept of a token: whoever reads the database can't use it. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

export type NewOffer = Pick<
  IssuanceRow,
  | 'id'
  | 'subject_id'
  | 'preauth_code'
  | 'vc_names'
  | 'tx_code'
  | 'pin_digest'
  | 'deferred_seconds'
  | 'recipe'
  | 'offer_expires_at'
>

type Step = keyof typeof issuanceSteps

export interface IssuanceStore {
  /**
   * Records an offer. A subject whose earlier offer nobody has redeemed gets this one instead; false
   * where the subject's issuance has gone further.
   */
  offer(offer: NewOffer): Promise<boolean>
  findById(id: string): Promise<IssuanceRow | undefined>
  findByCode(code: string): Promise<IssuanceRow | undefined>
  findByAccessToken(token: string): Promise<IssuanceRow | undefined>
  findByAcceptanceToken(token: string): Promise<IssuanceRow | undefined>
  /** By credential_id or subject_id. */
  findByIssuerId(id: string): Promise<IssuanceRow | undefined>
  /** Counts an attempt at the PIN before it is looked at; false where none is left. */
  countPinAttempt(id: string, maxAttempts: number): Promise<boolean>
  /**
   * Takes a step from its allowed states, with further conditions, in one statement: of several that
   * try at once exactly one gets true.
   */
  take(
    step: Step,
    id: string,
    changes?: Partial<IssuanceRow>,
    conditions?: Partial<Pick<IssuanceRow, 'c_nonce' | 'preauth_code'>>,
  ): Promise<boolean>
  /** Spends the c_nonce; of several that bring the same one at once exactly one gets true. */
  spendNonce(id: string, cNonce: string): Promise<boolean>
  setNonce(id: string, cNonce: string, expiresAt: number): Promise<void>
  setRevoked(id: string): Promise<void>
}

export function createIssuanceStore(
  database: Kysely<ConnectorTables>,
  clock: Clock,
): IssuanceStore {
  const find = (column: keyof IssuanceRow & string, value: string) =>
    database.selectFrom('issuances').selectAll().where(column, '=', value).executeTakeFirst()

  return {
    async offer(offer) {
      const now = clock.seconds()
      const fresh = { ...offer, state: 'offered', pin_attempts: 0, updated_at: now } as const
      const { subject_id: _, ...replacement } = fresh
      const result = await database
        .insertInto('issuances')
        .values({ ...fresh, revoked: 0, created_at: now })
        .onConflict((conflict) =>
          conflict
            .column('subject_id')
            .doUpdateSet(replacement)
            .where('issuances.state', '=', 'offered'),
        )
        .executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    },
    findById: (id) => find('id', id),
    findByCode: (code) => find('preauth_code', code),
    findByAccessToken: (token) => find('access_token_digest', digestOf(token)),
    findByAcceptanceToken: (token) => find('acceptance_token_digest', digestOf(token)),
    findByIssuerId: (id) =>
      database
        .selectFrom('issuances')
        .selectAll()
        .where((row) => row.or([row('credential_id', '=', id), row('subject_id', '=', id)]))
        .executeTakeFirst(),
    async countPinAttempt(id, maxAttempts) {
      const result = await database
        .updateTable('issuances')
        .set((row) => ({ pin_attempts: row('pin_attempts', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'offered')
        .where('pin_attempts', '<', maxAttempts)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async take(step, id, changes = {}, conditions = {}) {
      const { from, to } = issuanceSteps[step]
      let update = database
        .updateTable('issuances')
        .set({ ...changes, state: to, updated_at: clock.seconds() })
        .where('id', '=', id)
        .where('state', 'in', [...from])
      for (const [column, value] of Object.entries(conditions)) {
        update = update.where(column as 'c_nonce', '=', value)
      }
      const result = await update.executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async spendNonce(id, cNonce) {
      const result = await database
        .updateTable('issuances')
        .set({ c_nonce: null, c_nonce_expires_at: null })
        .where('id', '=', id)
        .where('c_nonce', '=', cNonce)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async setNonce(id, cNonce, expiresAt) {
      await database
        .updateTable('issuances')
        .set({ c_nonce: cNonce, c_nonce_expires_at: expiresAt })
        .where('id', '=', id)
        .execute()
    },
    async setRevoked(id) {
      await database.updateTable('issuances').set({ revoked: 1 }).where('id', '=', id).execute()
    },
  }
}
