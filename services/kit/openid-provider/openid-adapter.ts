import type { Kysely } from 'kysely'
import { type Adapter, type AdapterFactory, errors } from 'oidc-provider'
import { createPurge, prepareQuery } from '../database.ts'
import type { Clock } from '../runtime.ts'
import { digest } from '../secrets.ts'
import { type OpenidTables, readPayload, writePayload } from './openid-tables.ts'

/** Models that are revoked with their grant; an interaction refers to its grant but outlives it. */
const grantable = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken'])

type Artifact = Omit<OpenidTables['openid_artifacts'], 'consumed_at'>

/**
 * Seconds for which expired rows are kept, so that libraries can distinguish expired from unknown.
 */
const graceSeconds = 60

/**
 * Storage of oidc-provider in the service's database, so that sessions, codes and tokens survive a
 * restart and several processes share them. One statement consumes a code: of two simultaneous
 * requests with the same code only one gets tokens. A browser or a client presents the id, so only
 * its digest is stored.
 * @param database holds the tables of `openidMigration`
 */
export function createOpenidAdapter(database: Kysely<OpenidTables>, clock: Clock): AdapterFactory {
  const purgeExpired = createPurge(clock, (now) =>
    database
      .deleteFrom('openid_artifacts')
      .where('expires_at', '<', now - graceSeconds)
      .execute(),
  )

  const queryBy = (column: 'id' | 'uid') =>
    prepareQuery(database, ({ model, value }: { model: string; value: string }) =>
      database
        .selectFrom('openid_artifacts')
        .select(['payload', 'consumed_at', 'expires_at'])
        .where('model', '=', model)
        .where(column, '=', value),
    )
  const find = { id: queryBy('id'), uid: queryBy('uid') }
  const write = prepareQuery(database, ({ model, id, ...values }: Artifact) =>
    database
      .insertInto('openid_artifacts')
      .values({ model, id, ...values, consumed_at: null })
      .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values)),
  )
  const remove = prepareQuery(database, ({ model, id }: Pick<Artifact, 'model' | 'id'>) =>
    database.deleteFrom('openid_artifacts').where('model', '=', model).where('id', '=', id),
  )
  const markConsumed = prepareQuery(
    database,
    ({ model, id, now }: Pick<Artifact, 'model' | 'id'> & { readonly now: number }) =>
      database
        .updateTable('openid_artifacts')
        .set({ consumed_at: now })
        .where('model', '=', model)
        .where('id', '=', id)
        .where('consumed_at', 'is', null),
  )

  /** oidc-provider compares times with those of the machine, not with the clock of the service. */
  const isGone = (expiresAt: number | null) =>
    expiresAt !== null && expiresAt < clock.seconds() - graceSeconds

  const findBy = async (model: string, column: 'id' | 'uid', value: string) => {
    // Clients may send anything as an id; PostgreSQL rejects this character.
    if (value.includes('\0')) return undefined
    const stored = column === 'id' ? digest(value) : value
    const row = await find[column].first({ model, value: stored })
    if (row === undefined || isGone(row.expires_at)) return undefined
    // A session found by its uid is read-only: its id stays unknown.
    const payload = readPayload(row.payload, column === 'id' ? value : '')
    return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at }
  }

  const revokeByGrantId = async (grantId: string) => {
    await database.deleteFrom('openid_artifacts').where('grant_id', '=', grantId).execute()
  }

  const destroy = async (model: string, id: string) => {
    await remove.change({ model, id: digest(id) })
  }

  return (model): Adapter => ({
    async upsert(id, payload, expiresIn) {
      const { grantId, uid } = payload
      const values = {
        payload: writePayload(payload, id),
        grant_id: grantable.has(model) ? (grantId ?? null) : null,
        uid: model === 'Session' ? (uid ?? null) : null,
        expires_at: expiresIn === undefined ? null : clock.seconds() + expiresIn,
      }
      await write.change({ model, id: digest(id), ...values })
      await purgeExpired()
    },
    find: (id) => findBy(model, 'id', id),
    findByUid: (uid) => findBy(model, 'uid', uid),
    // Only the device flow looks up user codes, and it is not offered.
    findByUserCode: () => Promise.resolve(undefined),
    async consume(id) {
      const key = { model, id: digest(id) }
      if ((await markConsumed.change({ ...key, now: clock.seconds() })) > 0) return
      // Both requests saw the code unused, so oidc-provider does not detect the reuse (RFC 6749,
      // 4.1.2).
      const { grantId } = (await findBy(model, 'id', id)) ?? {}
      if (grantId !== undefined) {
        await revokeByGrantId(grantId)
        await destroy('Grant', grantId)
      }
      throw new errors.InvalidGrant('already consumed')
    },
    destroy: (id) => destroy(model, id),
    revokeByGrantId,
  })
}
