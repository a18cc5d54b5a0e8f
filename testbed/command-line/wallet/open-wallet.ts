import { join, resolve } from 'node:path'
import { wrongUsage } from '#scenarios/errors.ts'
import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import type { Account } from '#wallet-emulator/keys/create-account.ts'
import { createFileStore } from '#wallet-emulator/store/create-file-store.ts'
import type { StoredCredential, WalletStore } from '#wallet-emulator/store/wallet-store.ts'
import {
  type ConnectedWallet,
  type ConnectWalletOptions,
  connectWallet,
} from '../../wallet-server/connect-wallet.ts'
import { ambiguousCredential, credentialMissing, walletMissing } from '../errors.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { say } from '../terminal.ts'
import { summarizeCredential } from './credential-card.ts'
import type { FaultOption, WalletCommandOptions } from './wallet-options.ts'

/**
 * Opens a named wallet to communicate with issuers and verifiers; see {@link connectWallet}.
 * @throws TestbedError `wallet_missing` if there is no wallet of that name, `unknown_fault` or
 * `unfit_faults` for deviations that it does not support
 */
export async function openWallet(
  options: WalletCommandOptions & FaultOption & ConnectWalletOptions,
): Promise<ConnectedWallet> {
  const faults = await explainRefusal(async () => findFaults(options.fault ?? []))
  const connected = await connectWallet({ ...(await openAccount(options)), faults }, options)
  for (const fault of faults) {
    const { description, needs = [] } = fault
    const time = needs.includes('clock')
      ? ' The wallet waits in real time: the clock is not moved.'
      : ''
    say(`Deviates (${brokenBy(fault).check}): ${description}${time}`)
  }
  return connected
}

/**
 * The account and the store of a named wallet.
 * @throws TestbedError `wallet_missing`
 */
export async function openAccount(
  options: WalletCommandOptions,
): Promise<{ readonly account: Account; readonly store: WalletStore }> {
  const store = await openStore(options)
  const account = await store.readAccount()
  if (!account) throw walletMissing(options.wallet, walletsFolderOf(options.data))
  return { account, store }
}

/**
 * The store of a named wallet.
 * @throws TestbedError `wallet_missing` if there is no account
 */
export async function openStore(options: WalletCommandOptions): Promise<WalletStore> {
  const store = createFileStore({ folder: walletFolderOf(options) })
  if (await explainRefusal(() => store.readAccount())) return store
  throw walletMissing(options.wallet, walletsFolderOf(options.data))
}

/**
 * The folder of one wallet.
 * @throws TestbedError `invalid_option` for an invalid name
 */
export function walletFolderOf({
  wallet,
  data,
}: Pick<WalletCommandOptions, 'wallet' | 'data'>): string {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(wallet)) {
    throw wrongUsage(`"${wallet}" is not a valid wallet name.`, [
      'Use at most 64 letters, digits, dots, dashes and underscores.',
    ])
  }
  return join(walletsFolderOf(data), wallet)
}

/** The folder in which a data folder keeps its wallets, one subfolder per wallet. */
export function walletsFolderOf(dataFolder: string): string {
  return resolve(dataFolder, 'wallets')
}

/**
 * The credential whose id begins with the given characters, or whose credential_id equals them.
 * @throws TestbedError `credential_missing`, or `invalid_option` if several match
 */
export async function findCredential(store: WalletStore, text: string): Promise<StoredCredential> {
  const credentials = await store.listCredentials()
  const found = credentials.filter(
    (stored) => stored.id.startsWith(text) || summarizeCredential(stored).credentialId === text,
  )
  const [first] = found
  if (first && found.length === 1) return first
  const ids = credentials.map(({ id }) => id)
  throw first ? ambiguousCredential(text, ids) : credentialMissing(text, ids)
}
