import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Kysely } from 'kysely'
import { jwkThumbprint } from '#core/crypto/jwk.ts'
import type { OpenidTables } from '#kit/openid-provider/openid-tables.ts'
import type { Clock } from '#kit/runtime.ts'

const generate = promisify(generateKeyPair)

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

/** A key that signs tokens, or did. Times are Unix seconds. */
export interface SigningKey {
  readonly generation: number
  readonly jwk: RsaPrivateJwk
  readonly createdAt: number
  /** When the next one took over; undefined for the one that signs. */
  readonly supersededAt: number | undefined
}

/** All keys in a provider's database, the one that signs first; none before the first start. */
export async function listSigningKeys(
  database: Kysely<OpenidTables>,
): Promise<readonly SigningKey[]> {
  const rows = await database
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

// A request that was under way when the next key took over may have signed a moment later.
const leewaySeconds = 60

/**
 * Until when a key stands in the key set: as long as a token that it signed may be valid. Undefined
 * for the key that signs.
 * @param tokenLifetime of the longest-lived token, in seconds
 * @returns Unix seconds, not included
 */
export function publishedUntil(
  { supersededAt }: SigningKey,
  tokenLifetime: number,
): number | undefined {
  return supersededAt === undefined ? undefined : supersededAt + tokenLifetime + leewaySeconds
}

/** Whether a key stands in the key set at a time (Unix seconds). */
export function isPublished(key: SigningKey, tokenLifetime: number, now: number): boolean {
  const end = publishedUntil(key, tokenLifetime)
  return end === undefined || now < end
}

/**
 * The keys that sign a provider's tokens, newest first, from its database. The first call makes
 * one; processes that start at the same time on one database end up with the same.
 * @see profile/idp, Discovery: id_token_signing_alg_values_supported = [RS256]
 */
export async function loadSigningKeys(
  database: Kysely<OpenidTables>,
  clock: Clock,
): Promise<readonly [RsaPrivateJwk, ...RsaPrivateJwk[]]> {
  const read = async () => (await listSigningKeys(database)).map(({ jwk }) => jwk)
  const [current, ...older] = await read()
  if (current !== undefined) return [current, ...older]

  const created = await createRsaKey()
  await insertKey(database, { generation: 1, jwk: created, createdAt: clock.seconds() })
  const [first = created, ...rest] = await read()
  return [first, ...rest]
}

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
export async function rotateSigningKey(
  database: Kysely<OpenidTables>,
  clock: Clock,
  { kid, tokenLifetime }: RotateOptions,
): Promise<boolean> {
  const [current] = await listSigningKeys(database)
  if (current?.jwk.kid !== kid) return false
  const created = await createRsaKey()
  const now = clock.seconds()
  const generation = current.generation + 1
  const isInserted = await insertKey(database, { generation, jwk: created, createdAt: now })
  const gone = (await listSigningKeys(database)).filter(
    (key) => !isPublished(key, tokenLifetime, now),
  )
  for (const { generation } of gone) {
    await database.deleteFrom('openid_signing_keys').where('generation', '=', generation).execute()
  }
  return isInserted
}

/** Keeps a key unless there is one of its generation already, which another process has made. */
async function insertKey(
  database: Kysely<OpenidTables>,
  { generation, jwk, createdAt }: Omit<SigningKey, 'supersededAt'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('openid_signing_keys')
    .values({ generation, kid: jwk.kid, private_jwk: JSON.stringify(jwk), created_at: createdAt })
    .onConflict((conflict) => conflict.column('generation').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** A new key of 2048 bits, named by its RFC 7638 thumbprint. */
export async function createRsaKey(): Promise<RsaPrivateJwk> {
  // Made in the thread pool: it takes some hundred milliseconds and a service goes on meanwhile.
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' }) as Omit<RsaPrivateJwk, 'kid' | 'alg' | 'use'>
  const kid = jwkThumbprint({ kty: jwk.kty, n: jwk.n, e: jwk.e })
  return { ...jwk, kty: 'RSA', kid, alg: 'RS256', use: 'sig' }
}
