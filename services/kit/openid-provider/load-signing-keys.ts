import type { Kysely } from 'kysely'
import { createRsaKey, type RsaPrivateJwk } from '#kit/openid-provider/create-rsa-key.ts'
import { listSigningKeys } from '#kit/openid-provider/list-signing-keys.ts'
import type { OpenidTables } from '#kit/openid-provider/openid-tables.ts'
import type { Clock } from '#kit/runtime.ts'

/**
 * The keys that sign a provider's tokens, newest first, from its database. The first call makes
 * one; processes that start at the same time on one database end up with the same.
 * @see document 1, discovery: id_token_signing_alg_values_supported = [RS256]
 */
export async function loadSigningKeys<Tables extends OpenidTables>(
  database: Kysely<Tables>,
  clock: Clock,
): Promise<readonly [RsaPrivateJwk, ...RsaPrivateJwk[]]> {
  const db = database as unknown as Kysely<OpenidTables>
  const read = async () => (await listSigningKeys(db)).map(({ jwk }) => jwk)
  const [current, ...older] = await read()
  if (current !== undefined) return [current, ...older]

  const created = await createRsaKey()
  await db
    .insertInto('openid_signing_keys')
    .values({
      generation: 1,
      kid: created.kid,
      private_jwk: JSON.stringify(created),
      created_at: clock.seconds(),
    })
    .onConflict((conflict) => conflict.column('generation').doNothing())
    .execute()
  const [first = created, ...rest] = await read()
  return [first, ...rest]
}
