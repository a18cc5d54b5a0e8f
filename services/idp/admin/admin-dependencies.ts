import type { AdminAccountStore } from '../adapters/create-admin-account-store.ts'
import type { AdminSessionStore } from '../adapters/create-admin-session-store.ts'
import type { ExplanationClient } from '../adapters/create-explanation-client.ts'
import type { LoginLock } from '../adapters/create-login-lock.ts'

/** What the panel works with, beside what the IDP has. */
export interface AdminDependencies {
  readonly accounts: AdminAccountStore
  readonly sessions: AdminSessionStore
  readonly lock: LoginLock
  readonly explanations: ExplanationClient
}
