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

/** The wallet that the server plays now. */
export interface PlayedWallet {
  readonly account: Account
  readonly store: WalletStore
  readonly faults: readonly WalletFault[]
}

/** What a reset asks for; what is left out stays as the server was started with. */
interface ResetOptions extends Pick<CreateAccountOptions, 'curve' | 'didMethod'> {
  /** Names of deviations. */
  readonly faults?: readonly string[]
}

/** One wallet after another: each reset makes a new one. */
export interface WalletSession {
  readonly wallet: PlayedWallet
  /**
   * Begins anew, without credentials: a wallet in memory with a new key, a kept wallet with its own.
   * Throws a TestbedError `unknown_fault` or `unfit_faults`, or `named_wallet` where a kept one is to
   * have another key.
   */
  reset(options?: ResetOptions): Promise<PlayedWallet>
}

export interface CreateWalletSessionOptions {
  /** A wallet that is kept; without it one in memory is played. */
  readonly kept?: Pick<PlayedWallet, 'account' | 'store'>
  readonly defaults: ResetOptions
}

/** The wallet behind the server, as it is at its start. */
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
