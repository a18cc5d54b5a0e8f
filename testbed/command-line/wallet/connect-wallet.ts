import type { ResolveDidDocument } from '#core/verification/lookup.ts'
import { createDidResolver } from '#wallet-emulator/actions/create-did-resolver.ts'
import { createWallet, type Wallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
import type { OnWalletEvent } from '#wallet-emulator/events.ts'
import { readTestbedClock } from './read-testbed-clock.ts'
import { readTestbedFile } from './read-testbed-file.ts'
import type { NetworkOptions } from './wallet-options.ts'

/** A wallet that talks to issuers and verifiers, and what it checks them with. */
export interface ConnectedWallet {
  readonly wallet: Wallet
  /** Undefined where neither an option nor a running testbed names a DID registry. */
  readonly resolveDidDocument: ResolveDidDocument | undefined
}

/**
 * Gives a wallet its way out. From a testbed that runs on the data folder it takes the clock and the
 * addresses of the DID registries, and with one private addresses are allowed, as that is where its
 * services are.
 *
 * @assumption A-29
 */
export async function connectWallet(
  wallet: Pick<WalletOptions, 'account' | 'store' | 'faults'>,
  { data, didRegistry, allowPrivateAddresses }: NetworkOptions,
  onEvent: OnWalletEvent = () => {},
): Promise<ConnectedWallet> {
  const testbed = await readTestbedFile(data)
  const connected = createWallet({
    ...wallet,
    now: await readTestbedClock(testbed),
    http: { allowPrivateAddresses: allowPrivateAddresses ?? testbed !== undefined },
    onEvent,
  })
  const environments = Object.values(testbed?.environments ?? {})
  if (environments.length === 0 && didRegistry === undefined) {
    return { wallet: connected, resolveDidDocument: undefined }
  }
  const registryOf = (did: string) =>
    didRegistry ??
    environments.find(({ didPrefix }) => did.startsWith(didPrefix))?.didRegistryBaseUrl
  return {
    wallet: connected,
    resolveDidDocument: createDidResolver(connected.http, registryOf),
  }
}
