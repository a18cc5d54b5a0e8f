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

/** What a wallet is made of; everything has a default. */
export interface WalletOptions {
  /** By default a new ES256K account with a did:key. */
  readonly account?: Account
  /** By default in memory. The account is not written to it here. */
  readonly store?: WalletStore
  readonly http?: Omit<WalletHttpOptions, 'onExchange'>
  /** Unix seconds; by default the machine's clock. */
  readonly now?: () => number
  /**
   * How it lets time pass, by default until the signal of `http` ends it; scenarios that move the
   * testbed's clock put that in here.
   */
  readonly wait?: (milliseconds: number) => Promise<unknown>
  /** Named deviations, which add up; see {@link requireCompatibleFaults}. */
  readonly faults?: readonly WalletFault[]
  readonly onEvent?: OnWalletEvent
}

/** One holder with a key, credentials and a way out. The actions take it as their first argument. */
export interface Wallet {
  readonly account: Account
  /** The key of the account, ready to sign. */
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
 * Makes a wallet. Throws a TestbedError `unfit_faults` for faults that contradict each other, or that
 * an account of this curve can't have.
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

/** Rejects with the reason of the signal, as requests do. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, signal ? { signal } : {}).catch((error) => {
    signal?.throwIfAborted()
    throw error
  })
}

/** Does the work and, where it stops at an error of the wallet, tells that as its last step. */
export async function tellFailure<T>(
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
