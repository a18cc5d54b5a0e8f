import { type Command, Option } from 'commander'
import { type AccountCurve, createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createFileStore } from '#wallet-emulator/store/create-file-store.ts'
import { print, printJson, say } from '../terminal/print.ts'
import { explainRefusal } from './explain-refusal.ts'
import { walletFolderOf } from './open-wallet.ts'
import { addWalletOptions, type WalletCommandOptions } from './wallet-options.ts'

interface CreateOptions extends WalletCommandOptions {
  readonly curve: AccountCurve
  readonly didMethod: 'key' | 'jwk'
  readonly seed?: string
}

/** `testbed wallet create`: makes a key, keeps it, and prints its DID. */
export function addCreateCommand(parent: Command): void {
  addWalletOptions(parent.command('create'))
    .description('make a wallet with a key of its own; prints its DID')
    .addOption(
      new Option('--curve <curve>', 'curve of the key')
        .choices(['secp256k1', 'Ed25519'])
        .default('secp256k1'),
    )
    .addOption(
      new Option('--did-method <method>', 'method of the DID')
        .choices(['key', 'jwk'])
        .default('key'),
    )
    .option('--seed <text>', 'the same text gives the same key (for tests only)')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const { curve, didMethod, seed, wallet: name } = options
      const account = createAccount({ curve, didMethod, ...(seed === undefined ? {} : { seed }) })
      const store = createFileStore({ folder: walletFolderOf(options) })
      await explainRefusal(() => store.createAccount(account))
      const { did, kid, algorithm } = account
      if (options.json) return printJson({ name, did, kid, curve, didMethod, algorithm })
      say(`Wallet "${name}" with a key for ${algorithm} (${curve}).`)
      print(did)
    })
}
