import { createHash } from 'node:crypto'
import type { Account } from '../keys/create-account.ts'
import { walletError } from '../wallet-error.ts'

/** A credential that the holder accepted. */
export interface StoredCredential {
  /** Its id in this wallet. The same credential always has the same id. */
  readonly id: string
  readonly format: string
  /** The issued credential, a JWT. */
  readonly credential: string
  /** The `credential_issuer` of its offer. */
  readonly credentialIssuer: string
  /** Unix seconds. */
  readonly receivedAt: number
}

/** The storage of a wallet's account and credentials. */
export interface WalletStore {
  readAccount(): Promise<Account | undefined>
  /** Throws a TestbedError `wallet_exists` if there is an account. A key is never overwritten. */
  createAccount(account: Account): Promise<void>
  /** Oldest first. */
  listCredentials(): Promise<readonly StoredCredential[]>
  /** Adding a stored credential again changes nothing. */
  addCredential(credential: StoredCredential): Promise<void>
  /** Returns whether the credential existed. */
  removeCredential(id: string): Promise<boolean>
}

/** Creates a store in memory, for scenarios and tests. */
export function createMemoryStore(account?: Account): WalletStore {
  let current = account
  const credentials = new Map<string, StoredCredential>()
  return {
    async readAccount() {
      return current
    },
    async createAccount(created) {
      if (current) throw walletError('wallet_exists', 'This wallet already has a key.')
      current = created
    },
    async listCredentials() {
      return [...credentials.values()]
    },
    async addCredential(credential) {
      if (!credentials.has(credential.id)) credentials.set(credential.id, credential)
    },
    async removeCredential(id) {
      return credentials.delete(id)
    },
  }
}

/** Returns the id of a credential in a wallet: 16 hex digits of the SHA-256 of the JWT. */
export function credentialIdOf(credential: string): string {
  return createHash('sha256').update(credential).digest('hex').slice(0, 16)
}
