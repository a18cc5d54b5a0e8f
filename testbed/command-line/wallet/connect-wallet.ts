import { createWallet, type Wallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
import type { OnWalletEvent } from '#wallet-emulator/events.ts'
import type { WalletTrust } from '#wallet-emulator/trust/wallet-trust.ts'
import { findTrust } from './find-trust.ts'
import { readTestbedClock } from './read-testbed-clock.ts'
import { readTestbedFile } from './read-testbed-file.ts'
import type { NetworkOptions } from './wallet-options.ts'

/** A wallet that talks to issuers and verifiers, and whom it asks about them. */
export interface ConnectedWallet {
  readonly wallet: Wallet
  readonly trust: WalletTrust
}

export interface ConnectWalletOptions extends NetworkOptions {
  /** The offer or the request that is answered. */
  readonly link: string
  readonly onEvent?: OnWalletEvent
}

/**
 * Gives a wallet its way out. From a testbed that runs on the data folder it takes the clock and the
 * addresses of the registries, and with one private addresses are allowed, as that is where its
 * services are.
 *
 * @assumption A-29
 */
export async function connectWallet(
  wallet: Pick<WalletOptions, 'account' | 'store' | 'faults'>,
  { data, allowPrivateAddresses, link, onEvent = () => {}, ...foreign }: ConnectWalletOptions,
): Promise<ConnectedWallet> {
  const testbed = await readTestbedFile(data)
  const connected = createWallet({
    ...wallet,
    now: await readTestbedClock(testbed),
    http: { allowPrivateAddresses: allowPrivateAddresses ?? testbed !== undefined },
    onEvent,
  })
  return { wallet: connected, trust: findTrust(connected.http, { testbed, foreign, link }) }
}
