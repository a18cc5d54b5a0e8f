import { setTimeout as sleep } from 'node:timers/promises'
import { createSigningKey, type SigningKey } from '#core/crypto/jws.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import {
  createVerificationCache,
  type VerificationCache,
} from '#core/verification/verification-cache.ts'
import type { OnWalletEvent } from './events.ts'
import { requireCompatibleFaults } from './faults/require-compatible-faults.ts'
import type { WalletFault } from './faults/wallet-fault.ts'
import {
  createWalletHttp,
  type WalletHttp,
  type WalletHttpOptions,
} from './http/create-wallet-http.ts'
import { type Account, createAccount } from './keys/create-account.ts'
import { createMemoryStore, type WalletStore } from './store/wallet-store.ts'
import type { WalletErrorCode } from './wallet-error.ts'

/** The options of a wallet; all have defaults. */
export interface WalletOptions {
  /** Default: a new ES256K account with a did:key. */
  readonly account?: Account
  /** Default: in memory. `createWallet` does not write the account to the store. */
  readonly store?: WalletStore
  readonly http?: Omit<WalletHttpOptions, 'onExchange'>
  /** Returns Unix seconds. Default: the machine's clock. */
  readonly now?: () => number
  /**
   * Waits. Default: a timer that the signal of `http` can interrupt. Scenarios pass a function that
   * moves the testbed's clock.
   */
  readonly wait?: (milliseconds: number) => Promise<unknown>
  /** Named deviations, applied together; see {@link requireCompatibleFaults}. */
  readonly faults?: readonly WalletFault[]
  readonly onEvent?: OnWalletEvent
}

/**
 * A holder with a key, credentials and an HTTP client. The actions take it as their first argument.
 */
export interface Wallet {
  readonly account: Account
  /** The key of the account, prepared for signing. */
  readonly signingKey: SigningKey
  readonly verificationCache: VerificationCache
  readonly store: WalletStore
  readonly http: WalletHttp
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<unknown>
  readonly faults: readonly WalletFault[]
  readonly emit: OnWalletEvent
}

/**
 * Creates a wallet. Throws a TestbedError `unfit_faults` for faults that conflict with each other
 * or do not apply to the account's curve.
 */
export function createWallet({
  account = createAccount(),
  store = createMemoryStore(account),
  http = {},
  now = () => Math.floor(Date.now() / 1000),
  wait = (milliseconds) => pause(milliseconds, http.signal),
  faults = [],
  onEvent = () => {},
}: WalletOptions = {}): Wallet {
  requireCompatibleFaults(faults, account)
  const onExchange: WalletHttpOptions['onExchange'] = (exchange) =>
    onEvent({ type: 'http', ...exchange })
  return {
    account,
    signingKey: createSigningKey(account.privateKey),
    verificationCache: createVerificationCache(),
    store,
    http: createWalletHttp({ ...http, onExchange }),
    now,
    wait,
    faults,
    emit: onEvent,
  }
}

/** Waits, and rejects with the reason of the signal, as requests do. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, signal ? { signal } : {}).catch((error) => {
    signal?.throwIfAborted()
    throw error
  })
}

/** Runs the work. If it fails with an error of the wallet, emits `stopped` as the last event. */
export async function emitFailure<T>(
  wallet: Wallet,
  action: 'accept-offer' | 'present',
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isTestbedError(error)) {
      const { code, message } = error
      wallet.emit({ type: 'stopped', action, code: code as WalletErrorCode, message })
    }
    throw error
  }
}
