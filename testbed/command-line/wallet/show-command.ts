import type { Command } from 'commander'
import { parseJws } from '#core/crypto/jws.ts'
import type { StoredCredential } from '#wallet-emulator/store/wallet-store.ts'
import { print, printJson, say } from '../terminal/print.ts'
import { credentialCard } from './credential-card.ts'
import { findCredential } from './find-credential.ts'
import { openAccount } from './open-wallet.ts'
import { type CredentialStatus, readStatuses } from './read-statuses.ts'
import { readTestbedClock } from './read-testbed-clock.ts'
import { readTestbedFile } from './read-testbed-file.ts'
import { addNetworkOptions, addWalletOptions, type WalletCommandOptions } from './wallet-options.ts'

interface ShowOptions extends WalletCommandOptions {
  readonly jwt?: boolean
}

/** `testbed wallet show`: credentials as cards, as JSON, or as they were issued. */
export function addShowCommand(parent: Command): void {
  addNetworkOptions(addWalletOptions(parent.command('show')))
    .description('show a credential, or all of a wallet')
    .argument('[id]', 'id of the credential, or how it begins')
    .option('--jwt', 'print the credential as it was issued')
    .action(async (id: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<ShowOptions>()
      const opened = await openAccount(options)
      const { store } = opened
      const credentials =
        id === undefined ? await store.listCredentials() : [await findCredential(store, id)]
      if (options.jwt) {
        for (const { credential } of credentials) print(credential)
        return
      }
      const summaries = await readStatuses(opened, credentials, options)
      if (options.json) {
        const statusOf = new Map(summaries.map((summary) => [summary.id, summary]))
        return printJson(credentials.map((stored) => toJson(stored, statusOf.get(stored.id))))
      }
      if (credentials.length === 0) say(`There is no credential in wallet "${options.wallet}".`)
      const now = (await readTestbedClock(await readTestbedFile(options.data)))()
      for (const summary of summaries) print(credentialCard(summary, { now }))
    })
}

function toJson(
  stored: StoredCredential,
  { status, statusReason }: Partial<CredentialStatus> = {},
) {
  const jws = parseJws(stored.credential)
  const decoded = jws.ok ? { header: jws.header, payload: jws.payload } : {}
  return { ...stored, ...decoded, status, statusReason }
}
