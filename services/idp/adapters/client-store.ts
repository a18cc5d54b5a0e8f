import type { Kysely, Selectable } from 'kysely'
import { prepareQuery } from '#kit/database.ts'
import { readPayload } from '#kit/openid-provider/openid-tables.ts'
import type { Clock } from '#kit/runtime.ts'
import { digest, randomToken } from '#kit/secrets.ts'
import type { ClientConfig } from '../config.ts'
import type { Authentication, Client } from '../domain/client.ts'
import type { ClientTable, IdpTables } from '../tables.ts'
import { applyConfiguration } from './configuration-store.ts'

/** A client in the database. */
export interface StoredClient extends Client {
  readonly secretDigest: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Unix seconds. */
  readonly updatedAt: number
}

export interface ClientStore {
  list(): Promise<readonly StoredClient[]>
  find(clientId: string): Promise<StoredClient | undefined>
  /** Returns the new client's secret, which cannot be read again; undefined if the id is taken. */
  create(client: Client): Promise<string | undefined>
  /** Returns false if there is no such client. */
  update(client: Client): Promise<boolean>
  /** Replaces the secret and returns the new one; undefined if there is no such client. */
  rotateSecret(clientId: string): Promise<string | undefined>
  /** Deletes the client and all its grants. */
  remove(clientId: string): Promise<boolean>
  /** Applies the configuration: see {@link applyConfiguration}. */
  seed(configured: readonly ClientConfig[]): Promise<void>
}

/**
 * The relying parties, in the database. A secret is stored as its SHA-256: it consists of 256
 * random bits generated here, so a slow hash would only delay every token request.
 */
export function createClientStore(database: Kysely<IdpTables>, clock: Clock): ClientStore {
  const columnsOf = ({ name, authentication, redirectUris }: Omit<Client, 'clientId'>) => ({
    name,
    authentication,
    redirect_uris: JSON.stringify(redirectUris),
    updated_at: clock.seconds(),
  })
  const findClient = prepareQuery(database, ({ clientId }: { clientId: string }) =>
    database.selectFrom('clients').selectAll().where('client_id', '=', clientId),
  )
  const change = async (clientId: string, columns: Partial<ClientTable>): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('clients')
      .set(columns)
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  return {
    async list() {
      const rows = await database.selectFrom('clients').selectAll().orderBy('name').execute()
      return rows.map(toClient)
    },

    async find(clientId) {
      // Requests may send anything as an id; PostgreSQL rejects this character.
      if (clientId.includes('\0')) return undefined
      const row = await findClient.first({ clientId })
      return row && toClient(row)
    },

    async create(client) {
      const secret = randomToken()
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('clients')
        .values({
          client_id: client.clientId,
          secret_digest: digest(secret),
          created_at: clock.seconds(),
          ...columnsOf(client),
        })
        .onConflict((conflict) => conflict.column('client_id').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n ? secret : undefined
    },

    update: (client) => change(client.clientId, columnsOf(client)),

    async rotateSecret(clientId) {
      const secret = randomToken()
      const columns = { secret_digest: digest(secret), updated_at: clock.seconds() }
      return (await change(clientId, columns)) ? secret : undefined
    },

    remove: (clientId) =>
      database.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('clients')
          .where('client_id', '=', clientId)
          .executeTakeFirst()
        await endGrants(transaction, clientId)
        return numDeletedRows > 0n
      }),

    async seed(configured) {
      for (const { clientId, clientSecret, redirectUris, name, authentication } of configured) {
        const value = [clientSecret, redirectUris, name, authentication]
        await applyConfiguration(database, `client:${clientId}`, value, (transaction) => {
          const columns = {
            ...columnsOf({ name: name ?? clientId, authentication, redirectUris }),
            secret_digest: digest(clientSecret),
          }
          return transaction
            .insertInto('clients')
            .values({ client_id: clientId, created_at: clock.seconds(), ...columns })
            .onConflict((conflict) => conflict.column('client_id').doUpdateSet(columns))
            .execute()
        })
      }
    },
  }
}

function toClient(row: Selectable<ClientTable>): StoredClient {
  return {
    clientId: row.client_id,
    name: row.name,
    authentication: row.authentication as Authentication,
    redirectUris: JSON.parse(row.redirect_uris),
    secretDigest: row.secret_digest,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** A client that later gets the same id must not inherit the grants of this one. */
async function endGrants(database: Kysely<IdpTables>, clientId: string): Promise<void> {
  const rows = await database
    .selectFrom('openid_artifacts')
    .select(['model', 'id', 'payload'])
    .where('model', 'in', ['Grant', 'AuthorizationCode', 'RefreshToken'])
    .execute()
  for (const { model, id, payload } of rows) {
    if (readPayload(payload, '').clientId !== clientId) continue
    await database
      .deleteFrom('openid_artifacts')
      .where('model', '=', model)
      .where('id', '=', id)
      .execute()
  }
}
