import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { drawQrBlocks } from '#core/qr/qr-code.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import { createFileStore } from '#wallet-emulator/store/create-file-store.ts'
import { openPortals, type Portal, type PortalOptions } from '../call-issuer.ts'
import { unreadableOffer } from '../errors.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { environmentOption } from '../options.ts'
import { print, printJson, say } from '../terminal.ts'
import { acceptIntoWallet } from '../wallet/accept-command.ts'
import { walletFolderOf } from '../wallet/open-wallet.ts'

export const summary = 'request a credential for a representative or an employee'

export const examples = [
  ['issue', "the QR code of an offer for the first organization's representative"],
  ['issue -w ana', 'the same, accepted into the wallet ana'],
  ['issue eva@almenara.example', 'an offer for an employee, by email'],
  ["issue --organization 'Brisa Energy' --qr offer.png", "another organization's representative"],
] as const

interface IssueOptions extends PortalOptions {
  readonly wallet?: string
  readonly qr?: string
  readonly json?: boolean
}

export function configure(command: Command): void {
  command
    .argument('[email]', 'address of an employee; default: the representative')
    .option('-w, --wallet <name>', 'accept the credential into this wallet; creates it if missing')
    .option('--qr <file>', 'also write the QR code of the offer to a PNG file')
    .option('--organization <name>', 'identifier or name; default: the first one')
    .addOption(environmentOption('environment of the testbed').default('pre'))
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .action(issue)
}

/** Calls the issuer as the portal of an organization does. */
async function issue(email: string | undefined, options: IssueOptions): Promise<void> {
  if (email !== undefined && !z.email().safeParse(email).success) {
    throw wrongUsage(`'${email}' is not a valid email address.`)
  }
  if (email !== undefined && (options.wallet !== undefined || options.qr !== undefined)) {
    throw wrongUsage(
      '--wallet and --qr are for a representative: an employee gets the offer by email.',
    )
  }
  const [portal] = await openPortals(options)
  if (email === undefined) return issueForRepresentative(portal, options)
  const { authorizedPowers } = portal.organization
  const answer = await portal.call('employee', { email, power: authorizedPowers })
  const { message } = (await answer.json()) as { message: string }
  const inbox = portal.testbed.mail.apiUrl
  if (options.json) return printJson({ message, inbox })
  print(message)
  say(`Inbox: ${inbox}`)
}

async function issueForRepresentative(portal: Portal, options: IssueOptions): Promise<void> {
  const { authorizedPowers, representative } = portal.organization
  const answer = await portal.call('representative', { power: authorizedPowers })
  const png = new Uint8Array(await answer.arrayBuffer())
  if (options.qr !== undefined) await writeFile(options.qr, png)
  const read = readQrImage(png)
  if (!read.ok) throw unreadableOffer(read.reason)
  if (options.wallet !== undefined) return accept(read.text, { ...options, wallet: options.wallet })
  if (options.json) return printJson({ link: read.text })
  const { givenName, familyName, email } = representative
  say(`Offer for ${[givenName, familyName].filter(Boolean).join(' ') || email}:`)
  if (process.stderr.isTTY) for (const line of drawQrBlocks(read.text)) say(line)
  print(read.text)
}

async function accept(link: string, options: IssueOptions & { wallet: string }): Promise<void> {
  const store = createFileStore({ folder: walletFolderOf(options) })
  const account = await explainRefusal(() => store.readAccount())
  if (account === undefined) {
    await explainRefusal(() => store.createAccount(createAccount()))
    say(`Created the wallet "${options.wallet}".`)
  }
  await acceptIntoWallet(link, { ...options, yes: true, policy: 'refuse' })
}
