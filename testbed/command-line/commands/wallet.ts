import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { parseJws } from '#core/crypto/jws.ts'
import { type HolderCurve, holderCurves } from '#core/crypto/suites.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createQrPng, drawQrBlocks } from '#core/qr/qr-code.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { readTestbedClock, readTestbedFile } from '#testbed/runs/running-testbed.ts'
import type { CredentialStatus } from '#wallet-emulator/actions/read-credential-status.ts'
import { allFaults } from '#wallet-emulator/faults/find-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createFileStore } from '#wallet-emulator/store/create-file-store.ts'
import type { StoredCredential } from '#wallet-emulator/store/wallet-store.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { paint, plainText, print, printJson, say, wrapText } from '../terminal.ts'
import { addAcceptCommand } from '../wallet/accept-command.ts'
import {
  type CredentialWithStatus,
  credentialCard,
  describeStatus,
  readStatuses,
} from '../wallet/credential-card.ts'
import {
  findCredential,
  openAccount,
  openStore,
  walletFolderOf,
  walletsFolderOf,
} from '../wallet/open-wallet.ts'
import { addPresentCommand } from '../wallet/present-command.ts'
import { addServeCommand } from '../wallet/serve-command.ts'
import {
  addNetworkOptions,
  addWalletOptions,
  type WalletCommandOptions,
} from '../wallet/wallet-options.ts'

export const summary = 'use a wallet: accept credential offers, present credentials'

export const examples = [
  ['wallet create -w ana', 'a wallet with a new key'],
  ['wallet list', 'all wallets and their credentials'],
  [
    'wallet accept -w ana --qr offer.png --pin 4935',
    'accept a credential from the QR code of its offer',
  ],
  ['wallet present -w ana --qr login.png', 'log in with the credential'],
  [
    "wallet present -w ana 'openid4vp://?…' --fault presentation-other-key",
    'the same, with a fault',
  ],
  ['wallet show -w ana', 'the credentials as cards'],
  ["wallet qr 'openid4vp://?…' --png login.png", 'the QR code of a link'],
  ['wallet remove -w ana --all', 'delete the wallet, its credentials and its key'],
  ['wallet serve -w ana --port 4900', 'serve the wallet over HTTP, for test suites'],
  ['wallet faults', 'the faults for --fault'],
] as const

/** `testbed wallet …`: a named wallet kept in the data folder. */
export function configure(command: Command): void {
  addCreateCommand(command)
  addListCommand(command)
  addAcceptCommand(command)
  addPresentCommand(command)
  addShowCommand(command)
  addQrCommand(command)
  addRemoveCommand(command)
  addServeCommand(command)
  addFaultsCommand(command)
}

interface CreateOptions extends WalletCommandOptions {
  readonly curve: HolderCurve
  readonly didMethod: 'key' | 'jwk'
  readonly seed?: string
}

/** `testbed wallet create`: creates a key, stores it, and prints its DID. */
function addCreateCommand(parent: Command): void {
  addWalletOptions(parent.command('create'))
    .description('create a wallet with a key; prints its DID')
    .addOption(
      new Option('--curve <curve>', 'curve of the key').choices(holderCurves).default('secp256k1'),
    )
    .addOption(
      new Option('--did-method <method>', 'DID method').choices(['key', 'jwk']).default('key'),
    )
    .option('--seed <text>', 'seed of the key (for tests only)')
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

interface ListOptions extends Omit<WalletCommandOptions, 'wallet'> {
  readonly wallet?: string
}

/** `testbed wallet list`: the wallets of the data folder, with their credentials. */
function addListCommand(parent: Command): void {
  addNetworkOptions(parent.command('list'))
    .description('list the wallets and their credentials')
    .option('-w, --wallet <name>', 'only this wallet')
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      const found = await readWallets(options)
      const wallets = found.filter((wallet) => 'did' in wallet)
      // An unreadable wallet does not hide the others, but the command fails.
      for (const { name, reason } of found.filter((wallet) => 'reason' in wallet)) {
        say(`✗ ${plainText(name)}: ${plainText(reason)}`)
        process.exitCode = 1
      }
      if (options.json) return printJson(wallets)
      if (found.length === 0)
        say(`There is no wallet yet. Create one with ${programCommand} wallet create.`)
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
  // A command for one wallet must report that it is missing.
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
  const line = parts.map(plainText).join('  ')
  return status === 'revoked' ? paint('red', line) : line
}

interface ShowOptions extends WalletCommandOptions {
  readonly jwt?: boolean
}

/** `testbed wallet show`: credentials as cards, as JSON, or in their issued form. */
function addShowCommand(parent: Command): void {
  addNetworkOptions(addWalletOptions(parent.command('show')))
    .description('show one credential, or all credentials of a wallet')
    .argument('[id]', 'id of the credential, or its first characters')
    .option('--jwt', 'print the credential as issued')
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

interface RemoveOptions extends WalletCommandOptions {
  readonly all?: boolean
}

/** `testbed wallet remove`: a credential, or the whole wallet with its key. */
function addRemoveCommand(parent: Command): void {
  addWalletOptions(parent.command('remove'))
    .description('remove a credential, or the wallet and its key with --all')
    .argument('[id]', 'id of the credential, or its first characters')
    .option('--all', 'remove the whole wallet')
    .action(async (id: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<RemoveOptions>()
      if ((id === undefined) === (options.all !== true)) {
        throw wrongUsage('Specify either the id of a credential or --all.')
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

/** An unreadable wallet can be removed too. */
async function removeAll(options: RemoveOptions): Promise<string> {
  const folder = walletFolderOf(options)
  if (!existsSync(join(folder, 'account.json'))) await openStore(options)
  await rm(folder, { recursive: true })
  return options.wallet
}

interface QrOptions {
  readonly png?: string
  readonly json?: boolean
}

/** `testbed wallet qr`: a link as a QR code, on the terminal or in a file, for a phone to scan. */
function addQrCommand(parent: Command): void {
  parent
    .command('qr')
    .description('show a link as a QR code on the terminal, for a phone to scan')
    .argument('<link>', 'an openid-credential-offer: or openid4vp: link, or any other text')
    .option('--png <file>', 'write it to a PNG file instead')
    .action(async (link: string, _, command: Command) => {
      const { png, json } = command.optsWithGlobals<QrOptions>()
      if (png !== undefined)
        await writeFile(
          png,
          drawn(() => createQrPng(link)),
        )
      if (json) return printJson({ link, ...(png === undefined ? {} : { png }) })
      if (png !== undefined) return say(`Wrote ${png}.`)
      for (const line of drawn(() => drawQrBlocks(link))) print(paintQr(line))
    })
}

// White on black, as the QR code requires, independent of the colours of the terminal.
const paintQr = (line: string) =>
  process.stdout.isTTY && process.env.NO_COLOR === undefined
    ? `\u001B[97;40m${line}\u001B[0m`
    : line

function drawn<T>(draw: () => T): T {
  try {
    return draw()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw wrongUsage(
      'The link is too long for a QR code, which holds 2953 bytes.',
      ['Use an offer or a request by reference, which is short.'],
      cause,
    )
  }
}

/** `testbed wallet faults`: the deviations that `--fault` accepts, in the order of the flow. */
function addFaultsCommand(parent: Command): void {
  parent
    .command('faults')
    .description('list the faults of the wallet, and the rule that each breaks')
    .action((_, command: Command) => {
      const { json } = command.optsWithGlobals<{ readonly json?: boolean }>()
      if (json) return printJson(allFaults.map(describeFault))
      const width = Math.max(Math.min(process.stdout.columns ?? 80, 80), 40)
      const entries = allFaults.map((fault) => {
        const { check, rule } = brokenBy(fault)
        const lines = [fault.description, `Breaks ${rule}`].flatMap((text) =>
          wrapText(text, width - 2),
        )
        return [`${fault.name} (${check})`, ...lines.map((line) => `  ${line}`), ''].join('\n')
      })
      print(entries.join('\n').trimEnd())
    })
}

/** Everything except the implementation. */
function describeFault({ name, description, apply, ...fault }: WalletFault) {
  return { name, description, ...brokenBy({ name }), ...fault, stages: Object.keys(apply) }
}
