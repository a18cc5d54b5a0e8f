import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { AdapterPayload } from 'oidc-provider'
import { digest } from '../secrets.ts'

/** An object that oidc-provider stores: a session, an interaction, a code, a grant, a token. */
interface OpenidArtifactTable {
  /** Name of the model: `Session`, `AuthorizationCode`, … */
  model: string
  /** Digest of the id. */
  id: string
  /** The model's members, as `writePayload` writes them. */
  payload: string
  /** Set for models that are revoked with their grant. */
  grant_id: string | null
  /** A session's second identifier. */
  uid: string | null
  /** Unix seconds. */
  expires_at: number | null
  /** Unix seconds. */
  consumed_at: number | null
}

/** A private key that signs tokens. */
interface OpenidSigningKeyTable {
  /** Counts from 1; the highest one signs, older ones stay in the key set. */
  generation: number
  kid: string
  private_jwk: string
  /** Unix seconds. */
  created_at: number
}

/** The tables that a service with an OpenID provider adds to its own schema. */
export interface OpenidTables {
  openid_artifacts: OpenidArtifactTable
  openid_signing_keys: OpenidSigningKeyTable
}

// JSON never contains it unescaped.
const placeOfId = '\u001f'

/** Serializes a model without its id and without the id of a browser's session. */
export function writePayload(payload: AdapterPayload, id: string): string {
  const known = { ...payload, ...(payload.session && { session: withoutCookie(payload.session) }) }
  return JSON.stringify(known).replaceAll(id, placeOfId)
}

/** Parses a stored model and restores its id. */
export function readPayload(text: string, id: string): AdapterPayload {
  return JSON.parse(text.replaceAll(placeOfId, id))
}

function withoutCookie(session: object): NonNullable<AdapterPayload['session']> {
  return { ...session, cookie: undefined } as NonNullable<AdapterPayload['session']>
}

/** Creates {@link OpenidTables}; each service includes it in its migrations. */
export const openidMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table openid_artifacts (
      model text not null, id text not null, payload text not null, grant_id text, uid text,
      expires_at bigint, consumed_at bigint,
      constraint openid_artifacts_key primary key (model, id)
    )`.execute(database)
    for (const column of ['grant_id', 'uid', 'expires_at']) {
      await database.schema
        .createIndex(`openid_artifacts_${column}`)
        .on('openid_artifacts')
        .column(column)
        // Most objects have neither a grant nor a uid, and each index is written with its row.
        .where(sql.ref(column), 'is not', null)
        .execute()
    }
    await sql`create table openid_signing_keys (
      generation integer primary key, kid text not null, private_jwk text not null,
      created_at bigint not null
    )`.execute(database)
  },
}

/**
 * Replaces the plain ids of version 0.1.0, which browsers and clients present, with their digests.
 */
export const openidDigestMigration: Migration = {
  async up(database: Kysely<OpenidTables>): Promise<void> {
    const rows = await database
      .selectFrom('openid_artifacts')
      .select(['model', 'id', 'payload'])
      .execute()
    for (const { model, id, payload } of rows) {
      await database
        .updateTable('openid_artifacts')
        .set({ id: digest(id), payload: writePayload(JSON.parse(payload), id) })
        .where('model', '=', model)
        .where('id', '=', id)
        .execute()
    }
  },
}
