import type { Kysely } from 'kysely'
import type { RsaPrivateJwk } from '#kit/openid-provider/create-rsa-key.ts'
import type { OpenidTables } from '#kit/openid-provider/openid-tables.ts'

/** A key that signs tokens, or did. Times are Unix seconds. */
export interface SigningKey {
  readonly generation: number
  readonly jwk: RsaPrivateJwk
  readonly createdAt: number
  /** When the next one took over; undefined for the one that signs. */
  readonly supersededAt: number | undefined
}

/** All keys in a provider's database, the one that signs first; none before the first start. */
export async function listSigningKeys<Tables extends OpenidTables>(
  database: Kysely<Tables>,
): Promise<readonly SigningKey[]> {
  const db = database as unknown as Kysely<OpenidTables>
  const rows = await db
    .selectFrom('openid_signing_keys')
    .selectAll()
    .orderBy('generation', 'desc')
    .execute()
  return rows.map((row, index) => ({
    generation: row.generation,
    jwk: JSON.parse(row.private_jwk),
    createdAt: row.created_at,
    supersededAt: rows[index - 1]?.created_at,
  }))
}
