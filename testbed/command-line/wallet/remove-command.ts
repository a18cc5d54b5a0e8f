import { rm } from 'node:fs/promises'
import type { Command } from 'commander'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { print, printJson, say } from '../terminal/print.ts'
import { findCredential } from './find-credential.ts'
import { openStore, walletFolderOf } from './open-wallet.ts'
import { addWalletOptions, type WalletCommandOptions } from './wallet-options.ts'

interface RemoveOptions extends WalletCommandOptions {
  readonly all?: boolean
}

/** `testbed wallet remove`: a credential, or the whole wallet with its key. */
export function addRemoveCommand(parent: Command): void {
  addWalletOptions(parent.command('remove'))
    .description('remove a credential, or with --all the wallet and its key')
    .argument('[id]', 'id of the credential, or how it begins')
    .option('--all', 'the whole wallet')
    .action(async (id: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<RemoveOptions>()
      if ((id === undefined) === (options.all !== true)) {
        throw new TestbedError({
          code: 'invalid_option',
          status: 400,
          message: 'Give either the id of a credential or --all.',
        })
      }
      const store = await openStore(options)
      if (id === undefined) await rm(walletFolderOf(options), { recursive: true })
      const removed = id === undefined ? options.wallet : (await findCredential(store, id)).id
      if (id !== undefined) await store.removeCredential(removed)
      if (options.json) return printJson({ removed })
      say(id === undefined ? 'Removed the wallet.' : 'Removed the credential.')
      print(removed)
    })
}
