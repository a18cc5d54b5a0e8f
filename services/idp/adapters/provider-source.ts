import type { Kysely } from 'kysely'
import type { Provider } from 'oidc-provider'
import {
  isPublished,
  listSigningKeys,
  loadSigningKeys,
  type RsaPrivateJwk,
  type SigningKey,
} from '#kit/openid-provider/signing-keys.ts'
import { prepareQuery } from '#kit/prepared-query.ts'
import type { Clock } from '#kit/runtime.ts'
import type { Snapshots } from '#kit/snapshots.ts'
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
}

export interface ProviderSource {
  /** Lifetime of the longest-lived token, in seconds. */
  readonly tokenLifetime: number
  /** The provider for the current keys and mappers; recreated if any process has changed them. */
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
  ) => Provider
}

/**
 * The OpenID provider with the settings of the admin panel. oidc-provider reads keys and claims
 * only at its creation, so every request checks for changes and recreates it if necessary.
 */
export function createProviderSource(options: ProviderSourceOptions): ProviderSource {
  const { database, clock, snapshots, scopeMappers, tokenLifetime, createProvider } = options
  // Starts immediately: creating the first key takes a moment. Requests that need it wait.
  const firstKey = loadSigningKeys(database, clock)
  firstKey.catch(() => {})
  let made: { readonly version: string; readonly current: Promise<CurrentProvider> } | undefined

  snapshots.add({ settled: () => firstKey })

  const publishedKeys = async () => {
    await firstKey
    const now = clock.seconds()
    const keys = await listSigningKeys(database)
    return keys.filter((key) => isPublished(key, tokenLifetime, now))
  }

  const make = async (): Promise<CurrentProvider> => {
    const keys = (await publishedKeys()).map(({ jwk }) => jwk)
    const texts = await scopeMappers.read()
    const mappers = new Map([...texts].map(([scope, text]) => [scope, parseMappers(text).mappers]))
    const claimsFor: CurrentProvider['claimsFor'] = (scopes, credential) =>
      mapClaims(
        [...scopes].flatMap((scope) => mappers.get(scope) ?? []),
        credential,
      )
    const claims = [...mappers.values()].flat().map(({ claim }) => claim)
    return { provider: createProvider(keys, mappers, claimsFor), claims, claimsFor }
  }

  const newestKey = prepareQuery(database, () =>
    database.selectFrom('openid_signing_keys').select('kid').orderBy('generation', 'desc').limit(1),
  )
  const revisions = prepareQuery(database, () =>
    database.selectFrom('scope_mappers').select('revision').orderBy('scope'),
  )
  const readVersion = async (): Promise<string> => {
    const [key, mappers] = await Promise.all([newestKey.first({}), revisions.all({})])
    return [key?.kid, ...mappers.map(({ revision }) => revision)].join(' ')
  }

  return {
    tokenLifetime,
    publishedKeys,
    async readCurrent() {
      await firstKey
      // Without the database the provider reports the outage itself, in its own format.
      const version = await readVersion().catch((error) => {
        if (made === undefined) throw error
        return made.version
      })
      if (made?.version === version) return made.current
      const current = make()
      made = { version, current }
      current.catch(() => {
        if (made?.current === current) made = undefined
      })
      return current
    },
    async close() {
      await firstKey.catch(() => {})
      await made?.current.catch(() => {})
    },
  }
}
