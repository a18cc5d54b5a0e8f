import { createHash } from 'node:crypto'
import type { Account } from '../keys/create-account.ts'
import { walletError } from '../wallet-error.ts'

/** A credential that the holder accepted. */
export interface StoredCredential {
  /** What names it in this wallet: the same credential always has the same id. */
  readonly id: string
  readonly format: string
  /** The credential as it was issued, a JWT. */
  readonly credential: string
  /** The `credential_issuer` of the offer that it came by. */
  readonly credentialIssuer: string
  /** Unix seconds. */
  readonly receivedAt: number
}

/** Where one wallet keeps its account and its credentials. */
export interface WalletStore {
  readAccount(): Promise<Account | undefined>
  /** Throws a TestbedError `wallet_exists` where there is one: a key is never overwritten. */
  createAccount(account: Account): Promise<void>
  /** Oldest first. */
  listCredentials(): Promise<readonly StoredCredential[]>
  /** Adding a credential that is there already changes nothing. */
  addCredential(credential: StoredCredential): Promise<void>
  /** Says whether there was such a credential. */
  removeCredential(id: string): Promise<boolean>
}

/** A store that is gone with the process: for scenarios and for tests of others. */
export function createMemoryStore(account?: Account): WalletStore {
  let current = account
  const credentials = new Map<string, StoredCredential>()
  return {
    async readAccount() {
      return current
    },
    async createAccount(created) {
      if (current) throw walletError('wallet_exists', 'This wallet has a key already.')
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

/** What names a credential in a wallet: 16 hex digits of the SHA-256 of the JWT. */
export function credentialIdOf(credential: string): string {
  return createHash('sha256').update(credential).digest('hex').slice(0, 16)
}
