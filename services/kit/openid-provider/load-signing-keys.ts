import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Kysely } from 'kysely'
import { jwkThumbprint } from '#core/crypto/jwk-thumbprint.ts'
import type { Clock } from '#kit/clock.ts'
import type { OpenidTables } from '#kit/openid-provider/openid-tables.ts'

/** An RSA private key as oidc-provider and jose take it; signs with RS256 alone. */
export interface RsaPrivateJwk {
  readonly kty: 'RSA'
  readonly kid: string
  readonly alg: 'RS256'
  readonly use: 'sig'
  readonly n: string
  readonly e: string
  readonly d: string
  readonly p: string
  readonly q: string
  readonly dp: string
  readonly dq: string
  readonly qi: string
}

const generate = promisify(generateKeyPair)

async function createRsaKey(): Promise<RsaPrivateJwk> {
  // Made in the thread pool: it takes some hundred milliseconds and a service starts meanwhile.
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' }) as Omit<RsaPrivateJwk, 'kid' | 'alg' | 'use'>
  const kid = jwkThumbprint({ kty: jwk.kty, n: jwk.n, e: jwk.e })
  return { ...jwk, kty: 'RSA', kid, alg: 'RS256', use: 'sig' }
}

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
  const read = async (): Promise<RsaPrivateJwk[]> => {
    const rows = await db
      .selectFrom('openid_signing_keys')
      .select('private_jwk')
      .orderBy('generation', 'desc')
      .execute()
    return rows.map((row) => JSON.parse(row.private_jwk))
  }
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
