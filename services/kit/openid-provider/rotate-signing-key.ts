import type { Kysely } from 'kysely'
import { createRsaKey } from '#kit/openid-provider/create-rsa-key.ts'
import { listSigningKeys } from '#kit/openid-provider/list-signing-keys.ts'
import type { OpenidTables } from '#kit/openid-provider/openid-tables.ts'
import { isPublished } from '#kit/openid-provider/published-until.ts'
import type { Clock } from '#kit/runtime.ts'

export interface RotateOptions {
  /** The key to be superseded. Where another one signs by now, nothing happens. */
  readonly kid: string
  /** Of the longest-lived token, in seconds. */
  readonly tokenLifetime: number
}

/**
 * Makes a new key that signs from now on. The old one stays published while its tokens live; keys
 * that have left the key set are deleted.
 * @returns whether this call made the change: of two at the same time one does
 */
export async function rotateSigningKey<Tables extends OpenidTables>(
  database: Kysely<Tables>,
  clock: Clock,
  { kid, tokenLifetime }: RotateOptions,
): Promise<boolean> {
  const db = database as unknown as Kysely<OpenidTables>
  const [current] = await listSigningKeys(db)
  if (current?.jwk.kid !== kid) return false
  const created = await createRsaKey()
  const now = clock.seconds()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('openid_signing_keys')
    .values({
      generation: current.generation + 1,
      kid: created.kid,
      private_jwk: JSON.stringify(created),
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('generation').doNothing())
    .executeTakeFirstOrThrow()
  const gone = (await listSigningKeys(db)).filter((key) => !isPublished(key, tokenLifetime, now))
  for (const { generation } of gone) {
    await db.deleteFrom('openid_signing_keys').where('generation', '=', generation).execute()
  }
  return numInsertedOrUpdatedRows === 1n
}
