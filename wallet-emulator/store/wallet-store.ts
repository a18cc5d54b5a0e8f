import type { Account } from '../keys/create-account.ts'

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
