import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import { requireCompatibleFaults } from '#wallet-emulator/faults/require-compatible-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import {
  type Account,
  type CreateAccountOptions,
  createAccount,
} from '#wallet-emulator/keys/create-account.ts'
import { createMemoryStore, type WalletStore } from '#wallet-emulator/store/wallet-store.ts'
import { namedWallet } from '../errors.ts'

/** The current wallet of the server. */
export interface PlayedWallet {
  readonly account: Account
  readonly store: WalletStore
  readonly faults: readonly WalletFault[]
}

/** The options of a reset; the others keep the values from the start of the server. */
interface ResetOptions extends Pick<CreateAccountOptions, 'curve' | 'didMethod'> {
  /** Names of deviations. */
  readonly faults?: readonly string[]
}

/** A sequence of wallets: each reset creates a new one. */
export interface WalletSession {
  readonly wallet: PlayedWallet
  /**
   * Starts again without credentials: a wallet in memory with a new key, a stored wallet with its
   * own. Throws a TestbedError `unknown_fault` or `unfit_faults`, or `named_wallet` for a new key
   * of a stored wallet.
   */
  reset(options?: ResetOptions): Promise<PlayedWallet>
}

export interface CreateWalletSessionOptions {
  /** A stored wallet; without it, a wallet in memory. */
  readonly kept?: Pick<PlayedWallet, 'account' | 'store'>
  readonly defaults: ResetOptions
}

/** The wallet behind the server, in its initial state. */
export function createWalletSession({ kept, defaults }: CreateWalletSessionOptions): WalletSession {
  let wallet = create(defaults)

  function create({ curve, didMethod, faults = [] }: ResetOptions): PlayedWallet {
    const named = findFaults(faults)
    const key = { ...(curve && { curve }), ...(didMethod && { didMethod }) }
    const account = kept?.account ?? createAccount(key)
    requireCompatibleFaults(named, account)
    return { account, store: kept?.store ?? createMemoryStore(account), faults: named }
  }

  return {
    get wallet() {
      return wallet
    },
    async reset(options = {}) {
      if (kept && (options.curve ?? options.didMethod) !== undefined) throw namedWallet()
      wallet = create({ ...defaults, ...options })
      for (const { id } of kept ? await wallet.store.listCredentials() : []) {
        await wallet.store.removeCredential(id)
      }
      return wallet
    },
  }
}
