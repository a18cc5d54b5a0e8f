import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
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
      const removed = id === undefined ? await removeAll(options) : await removeOne(options, id)
      if (options.json) return printJson({ removed })
      say(id === undefined ? 'Removed the wallet.' : 'Removed the credential.')
      print(removed)
    })
}

async function removeOne(options: RemoveOptions, id: string): Promise<string> {
  const store = await openStore(options)
  const { id: found } = await findCredential(store, id)
  await store.removeCredential(found)
  return found
}

/** A wallet that can't be read any more can be removed all the same. */
async function removeAll(options: RemoveOptions): Promise<string> {
  const folder = walletFolderOf(options)
  if (!existsSync(join(folder, 'account.json'))) await openStore(options)
  await rm(folder, { recursive: true })
  return options.wallet
}
