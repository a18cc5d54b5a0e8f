import type { Clock } from '#kit/runtime.ts'
import type { ApiKeyStore } from './adapters/api-key-store.ts'

/** What the routes work with. */
export interface ApiKeysDependencies {
  readonly keys: ApiKeyStore
  readonly clock: Clock
}
