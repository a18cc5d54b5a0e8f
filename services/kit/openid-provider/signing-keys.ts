import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Kysely } from 'kysely'
import { jwkThumbprint } from '#core/crypto/jwk.ts'
import type { Clock } from '../runtime.ts'
import type { OpenidTables } from './openid-tables.ts'

const generate = promisify(generateKeyPair)

/** An RSA private key in the form that oidc-provider and jose expect; only for RS256. */
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

/** A current or former key that signs tokens. Times are Unix seconds. */
export interface SigningKey {
  readonly generation: number
  readonly jwk: RsaPrivateJwk
  readonly createdAt: number
  /** Time of the rotation to the next key; undefined for the current key. */
  readonly supersededAt: number | undefined
}

/** All keys in a provider's database, the current one first; empty before the first start. */
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

// A request in progress at the rotation may have signed a moment later.
const leewaySeconds = 60

/**
 * The end of a key's publication in the key set: as long as a token that it signed may be valid.
 * Undefined for the current key.
 * @param tokenLifetime of the longest-lived token, in seconds
 * @returns Unix seconds, exclusive
 */
export function publishedUntil(
  { supersededAt }: SigningKey,
  tokenLifetime: number,
): number | undefined {
  return supersededAt === undefined ? undefined : supersededAt + tokenLifetime + leewaySeconds
}

/** Whether a key is in the key set at a time (Unix seconds). */
export function isPublished(key: SigningKey, tokenLifetime: number, now: number): boolean {
  const end = publishedUntil(key, tokenLifetime)
  return end === undefined || now < end
}

/**
 * Loads the keys that sign a provider's tokens from its database, newest first. The first call
 * creates one; processes that start simultaneously on one database get the same key.
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
  /** The key to replace. If another key signs by now, nothing happens. */
  readonly kid: string
  /** Of the longest-lived token, in seconds. */
  readonly tokenLifetime: number
}

/**
 * Creates a new key that signs from now on. The old key stays published until its tokens expire.
 * Deletes keys that have left the key set.
 * @returns whether this call rotated the key: of two simultaneous calls only one does
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

/** Inserts a key, unless another process has already created one of its generation. */
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

/** Creates a 2048-bit key, identified by its RFC 7638 thumbprint. */
export async function createRsaKey(): Promise<RsaPrivateJwk> {
  // In the thread pool: it takes some hundred milliseconds and must not block the service.
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' }) as Omit<RsaPrivateJwk, 'kid' | 'alg' | 'use'>
  const kid = jwkThumbprint({ kty: jwk.kty, n: jwk.n, e: jwk.e })
  return { ...jwk, kty: 'RSA', kid, alg: 'RS256', use: 'sig' }
}
