import type * as Jose from 'jose'
import { type Kysely, sql } from 'kysely'
import type { Provider } from 'oidc-provider'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { prepareQuery } from '#kit/database.ts'
import { createLazy, jose } from '#kit/lazy.ts'
import {
  isPublished,
  listSigningKeys,
  loadSigningKeys,
  type RsaPrivateJwk,
  type SigningKey,
} from '#kit/openid-provider/signing-keys.ts'
import type { Clock, Snapshots } from '#kit/runtime.ts'
import { type Mapper, mapClaims, parseMappers } from '../domain/mappers.ts'
import type { IdpTables } from '../tables.ts'
import type { ScopeMapperStore } from './scope-mapper-store.ts'

export type MappersByScope = ReadonlyMap<string, readonly Mapper[]>

/** The OpenID provider with the state it was created from. */
export interface CurrentProvider {
  readonly provider: Provider
  /** Names of the claims that the mappers produce. */
  readonly claims: readonly string[]
  /** Claims of a scope list for a credential. */
  claimsFor(scopes: Iterable<string>, credential: unknown): Record<string, unknown>
  /** All keys in the database, the current one first. */
  readonly keys: readonly SigningKey[]
  /** The key set that verifies tokens now. */
  readKeySet(): Jose.JWTVerifyGetKey
}

export interface ProviderSource {
  /** Lifetime of the longest-lived token, in seconds. */
  readonly tokenLifetime: number
  /**
   * The provider for the current keys and mappers; recreated if any process has changed them.
   * @throws TestbedError `database_unavailable` (503)
   */
  read(): Promise<CurrentProvider>
  /** The same; without the database, the provider that was current before. */
  readCurrent(): Promise<CurrentProvider>
  /** Keys whose tokens may still be valid, the current one first. */
  publishedKeys(): Promise<readonly SigningKey[]>
  /** Waits for pending work. */
  close(): Promise<void>
}

export interface ProviderSourceOptions {
  readonly database: Kysely<IdpTables>
  readonly clock: Clock
  readonly snapshots: Snapshots
  readonly scopeMappers: ScopeMapperStore
  /** Lifetime of the longest-lived token, in seconds. */
  readonly tokenLifetime: number
  readonly createProvider: (
    keys: readonly RsaPrivateJwk[],
    mappers: MappersByScope,
    claimsFor: CurrentProvider['claimsFor'],
  ) => Promise<Provider>
}

/**
 * The OpenID provider with the settings of the admin panel. oidc-provider reads keys and claims
 * only at its creation, so every request checks for changes and recreates it if necessary.
 */
export function createProviderSource(options: ProviderSourceOptions): ProviderSource {
  const { database, clock, snapshots, scopeMappers, tokenLifetime, createProvider } = options
  const firstKey = createLazy(() => loadSigningKeys(database, clock))
  let made: { readonly version: string; readonly current: Promise<CurrentProvider> } | undefined

  snapshots.add({ settled: firstKey.read })

  const publishedOf = (keys: readonly SigningKey[]) => {
    const now = clock.seconds()
    return keys.filter((key) => isPublished(key, tokenLifetime, now))
  }

  /** Imports the keys once for many verifications. A key is named by its thumbprint. */
  const createFindKey = (keys: readonly SigningKey[]) => {
    let made: { readonly kids: string; readonly find: Jose.JWTVerifyGetKey } | undefined
    return () => {
      const published = publishedOf(keys)
      const kids = published.map(({ jwk }) => jwk.kid).join(' ')
      if (made?.kids !== kids) {
        const set = { keys: published.map(({ jwk }) => ({ ...publicJwkOf(jwk) })) }
        made = { kids, find: jose().createLocalJWKSet(set) }
      }
      return made.find
    }
  }

  const make = async (): Promise<CurrentProvider> => {
    const keys = await listSigningKeys(database)
    const texts = await scopeMappers.read()
    const mappers = new Map([...texts].map(([scope, text]) => [scope, parseMappers(text).mappers]))
    const claimsFor: CurrentProvider['claimsFor'] = (scopes, credential) =>
      mapClaims(
        [...scopes].flatMap((scope) => mappers.get(scope) ?? []),
        credential,
      )
    const claims = [...mappers.values()].flat().map(({ claim }) => claim)
    const signing = publishedOf(keys).map(({ jwk }) => jwk)
    const provider = await createProvider(signing, mappers, claimsFor)
    return { provider, claims, claimsFor, keys, readKeySet: createFindKey(keys) }
  }

  // One statement, since every request depends on it.
  const parts = prepareQuery(database, () =>
    database
      .selectFrom('openid_signing_keys')
      .select(['kid as part', sql<string>`''`.as('place')])
      .unionAll(
        database.selectFrom('scope_mappers').select(['revision as part', 'scope as place']),
      ),
  )
  const readVersion = async (): Promise<string> => {
    const rows = await parts.all({})
    return rows
      .map(({ part, place }) => `${place} ${part}`)
      .sort()
      .join('\n')
  }

  const currentOf = (version: string): Promise<CurrentProvider> => {
    if (made?.version === version) return made.current
    const current = make()
    made = { version, current }
    current.catch(() => {
      if (made?.current === current) made = undefined
    })
    return current
  }

  const read = async () => {
    await firstKey.read()
    return currentOf(await readVersion())
  }

  return {
    tokenLifetime,
    read,
    async publishedKeys() {
      return publishedOf((await read()).keys)
    },
    async readCurrent() {
      await firstKey.read()
      // Without the database the provider reports the outage itself, in its own format.
      const version = await readVersion().catch((error) => {
        if (made === undefined) throw error
        return made.version
      })
      return currentOf(version)
    },
    async close() {
      await firstKey.settled()
      await made?.current.catch(() => {})
    },
  }
}
