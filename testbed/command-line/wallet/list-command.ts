import { readdir } from 'node:fs/promises'
import type { Command } from 'commander'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { createFileStore } from '#wallet-emulator/store/create-file-store.ts'
import { plainText, print, printJson, say } from '../terminal/print.ts'
import { describeStatus } from './credential-card.ts'
import { openStore, walletFolderOf, walletsFolderOf } from './open-wallet.ts'
import { type CredentialWithStatus, readStatuses } from './read-statuses.ts'
import { readTestbedClock } from './read-testbed-clock.ts'
import { readTestbedFile } from './read-testbed-file.ts'
import { addNetworkOptions, type WalletCommandOptions } from './wallet-options.ts'

interface ListOptions extends Omit<WalletCommandOptions, 'wallet'> {
  readonly wallet?: string
}

/** `testbed wallet list`: the wallets of the data folder, with their credentials. */
export function addListCommand(parent: Command): void {
  addNetworkOptions(parent.command('list'))
    .description('list the wallets and their credentials')
    .option('-w, --wallet <name>', 'this wallet alone')
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      const found = await readWallets(options)
      const wallets = found.filter((wallet) => 'did' in wallet)
      // One that can't be read hides no other, and is no success either.
      for (const { name, reason } of found.filter((wallet) => 'reason' in wallet)) {
        say(`✗ ${plainText(name)}: ${plainText(reason)}`)
        process.exitCode = 1
      }
      if (options.json) return printJson(wallets)
      if (found.length === 0)
        say(`There is no wallet yet: ${programCommand} wallet create makes one.`)
      const now = (await readTestbedClock(await readTestbedFile(options.data)))()
      for (const { name, did, algorithm, credentials } of wallets) {
        print(`${name}  ${algorithm}  ${did}`)
        for (const credential of credentials) print(`  ${describe(credential, now)}`)
      }
    })
}

async function readWallets(options: ListOptions) {
  const { wallet, data } = options
  const names = wallet === undefined ? await walletNames(data) : [wallet]
  // Whoever asks for one wallet has to hear that it is not there.
  if (wallet !== undefined) await openStore({ ...options, wallet })
  const wallets = await Promise.all(
    names.map((name) =>
      readWallet({ ...options, wallet: name }).catch((error) => {
        if (isTestbedError(error)) return { name, reason: error.message }
        throw error
      }),
    ),
  )
  return wallets.filter((found) => found !== undefined)
}

async function readWallet(options: WalletCommandOptions) {
  const store = createFileStore({ folder: walletFolderOf(options) })
  const account = await store.readAccount()
  if (!account) return undefined
  const { did, kid, curve, didMethod, algorithm } = account
  const credentials = await readStatuses({ account, store }, await store.listCredentials(), options)
  return { name: options.wallet, did, kid, curve, didMethod, algorithm, credentials }
}

async function walletNames(dataFolder: string): Promise<string[]> {
  const entries = await readdir(walletsFolderOf(dataFolder), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

function describe(credential: CredentialWithStatus, now: number): string {
  const { id, types, organization, validUntil, status } = credential
  const until =
    validUntil === undefined
      ? undefined
      : `${validUntil <= now ? 'expired' : 'until'} ${new Date(validUntil * 1000).toISOString().slice(0, 10)}`
  const remark = status === 'valid' ? undefined : describeStatus(credential)
  const parts = [id, types.at(-1), organization, until, remark].filter((part) => part !== undefined)
  return parts.map(plainText).join('  ')
}
