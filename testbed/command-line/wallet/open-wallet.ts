import { join, resolve } from 'node:path'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { ResolveDidDocument } from '#core/verification/lookup.ts'
import { createDidResolver } from '#wallet-emulator/actions/create-did-resolver.ts'
import { createWallet, type Wallet } from '#wallet-emulator/create-wallet.ts'
import type { OnWalletEvent } from '#wallet-emulator/events.ts'
import { createFileStore } from '#wallet-emulator/store/create-file-store.ts'
import type { WalletStore } from '#wallet-emulator/store/wallet-store.ts'
import { readTestbedClock } from './read-testbed-clock.ts'
import { readTestbedFile } from './read-testbed-file.ts'
import type { WalletCommandOptions } from './wallet-options.ts'

/** The folder in which a data folder keeps its wallets, one folder a wallet. */
export function walletsFolderOf(dataFolder: string): string {
  return resolve(dataFolder, 'wallets')
}

/** The folder of one wallet. Throws a TestbedError `invalid_option` for a name that is no name. */
export function walletFolderOf({
  wallet,
  data,
}: Pick<WalletCommandOptions, 'wallet' | 'data'>): string {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(wallet)) {
    throw new TestbedError({
      code: 'invalid_option',
      status: 400,
      message: `"${wallet}" is no name of a wallet.`,
      hints: ['Letters, digits, dot, dash and underscore, at most 64.'],
    })
  }
  return join(walletsFolderOf(data), wallet)
}

/** The store of a named wallet. Throws a TestbedError `wallet_missing` where there is no account. */
export async function openStore(options: WalletCommandOptions): Promise<WalletStore> {
  const store = createFileStore({ folder: walletFolderOf(options) })
  if (await store.readAccount()) return store
  throw walletMissing(options)
}

function walletMissing({ wallet, data }: WalletCommandOptions): TestbedError {
  const name = wallet === 'default' ? '' : ` --wallet ${wallet}`
  return new TestbedError({
    code: 'wallet_missing',
    status: 404,
    message: `There is no wallet "${wallet}" in ${walletsFolderOf(data)}.`,
    hints: [`testbed wallet create${name} makes one.`],
  })
}

export interface OpenedWallet {
  readonly wallet: Wallet
  /** Undefined where neither an option nor a running testbed names a DID registry. */
  readonly resolveDidDocument: ResolveDidDocument | undefined
}

/**
 * Opens a named wallet for talking to issuers and verifiers. From a testbed that runs on the data
 * folder it takes the clock and the addresses of the DID registries, and with one private addresses
 * are allowed, as that is where its services are.
 *
 * @assumption A-29
 */
export async function openWallet(
  options: WalletCommandOptions,
  onEvent: OnWalletEvent,
): Promise<OpenedWallet> {
  const store = await openStore(options)
  const account = await store.readAccount()
  if (!account) throw walletMissing(options)
  const testbed = await readTestbedFile(options.data)
  const wallet = createWallet({
    account,
    store,
    now: await readTestbedClock(testbed),
    http: { allowPrivateAddresses: options.allowPrivateAddresses ?? testbed !== undefined },
    onEvent,
  })
  const environments = Object.values(testbed?.environments ?? {})
  const { didRegistry } = options
  if (environments.length === 0 && didRegistry === undefined) {
    return { wallet, resolveDidDocument: undefined }
  }
  const registryOf = (did: string) =>
    didRegistry ??
    environments.find(({ didPrefix }) => did.startsWith(didPrefix))?.didRegistryBaseUrl
  return { wallet, resolveDidDocument: createDidResolver(wallet.http, registryOf) }
}
