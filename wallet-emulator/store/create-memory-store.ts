import type { Account } from '../keys/create-account.ts'
import { walletError } from '../wallet-error.ts'
import type { StoredCredential, WalletStore } from './wallet-store.ts'

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
