import type { Kysely } from 'kysely'
import { createLoginLock, type LoginLock, type LoginLockPolicy } from '#kit/create-login-lock.ts'
import type { Runtime } from '#kit/runtime.ts'
import {
  type AdminAccountStore,
  createAdminAccountStore,
} from '../adapters/create-admin-account-store.ts'
import {
  type AdminSessionStore,
  createAdminSessionStore,
} from '../adapters/create-admin-session-store.ts'
import {
  createExplanationClient,
  type ExplanationClient,
} from '../adapters/create-explanation-client.ts'
import type { IdpConfig } from '../config.ts'
import type { IdpTables } from '../tables.ts'

const lockPolicy: LoginLockPolicy = {
  memory: 86_400,
  account: { free: 3, first: 1, longest: 900 },
  address: { free: 20, first: 1, longest: 900 },
}

/** What the panel works with, beside what the IDP has. */
export interface AdminDependencies {
  readonly accounts: AdminAccountStore
  readonly sessions: AdminSessionStore
  readonly lock: LoginLock
  readonly explanations: ExplanationClient
}

/** The panel's stores on the IDP's database, and the verification service as it asks it. */
export function createAdminDependencies(
  config: IdpConfig,
  database: Kysely<IdpTables>,
  runtime: Runtime,
): AdminDependencies {
  const { clock, snapshots } = runtime
  const { admin: initial, adminSessionIdle: idle, adminSessionLifetime: lifetime } = config
  return {
    accounts: createAdminAccountStore({
      database,
      clock,
      snapshots,
      initial,
      key: config.cookieKeys[0] ?? '',
    }),
    sessions: createAdminSessionStore(database, clock, { idle, lifetime }),
    lock: createLoginLock(database, clock, lockPolicy),
    explanations: createExplanationClient(config, runtime),
  }
}
