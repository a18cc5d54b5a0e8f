import { join, resolve } from 'node:path'
import type { VerificationFailure } from '#core/verification/rules.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import {
  type ConnectedWallet,
  type ConnectWalletOptions,
  connectWallet,
} from '#testbed/wallet-server/connect-wallet.ts'
import type { CredentialVerdict } from '#wallet-emulator/actions/received-credential-policy.ts'
import type { OnWalletEvent, WalletEvent } from '#wallet-emulator/events.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import type { Account } from '#wallet-emulator/keys/create-account.ts'
import { createFileStore } from '#wallet-emulator/store/create-file-store.ts'
import type { StoredCredential, WalletStore } from '#wallet-emulator/store/wallet-store.ts'
import { ambiguousCredential, credentialMissing, walletMissing } from '../errors.ts'
import { describeFailure, explainRefusal } from '../explain-refusal.ts'
import { plainText, say } from '../terminal.ts'
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

/** Prints each step for the person at the terminal, and with `--verbose` each exchange. */
export function sayEvent({ verbose = false }: { readonly verbose?: boolean }): OnWalletEvent {
  return (event) => {
    const text = event.type === 'http' && !verbose ? undefined : describe(event)
    if (text !== undefined) say(text)
  }
}

/** Undefined for steps that are printed elsewhere. */
function describe(event: WalletEvent): string | undefined {
  switch (event.type) {
    case 'http':
      return `  ${event.method} ${plainText(event.url)} → ${event.status} (${Math.round(event.milliseconds)} ms)`
    case 'pin-refused': {
      const { error = `status ${event.answer.status}`, errorDescription } = event.answer
      return `✗ The issuer rejected the PIN or the offer: ${plainText(errorDescription ?? error)}`
    }
    case 'token-received':
      return '✓ The issuer accepted the code.'
    case 'proof-created':
      return '✓ Signed a proof of possession of the key.'
    case 'nonce-renewed':
      return '  The issuer requests a proof with a fresh nonce.'
    case 'credential-deferred':
      return '  The credential is not ready yet. Retrying until it is.'
    case 'deferred-pending':
      return `  Not ready after ${event.attempt} ${event.attempt === 1 ? 'request' : 'requests'}.`
    case 'deferred-busy':
      return `  The issuer is busy (${event.status}). Retrying.`
    case 'credential-validated':
      return describeVerdict(event.verdict)
    case 'credential-stored':
      return `✓ Stored as ${event.credential.id}.`
    default:
      return undefined
  }
}

function describeVerdict({ verdict, failures, unchecked, checked }: CredentialVerdict): string {
  const toLine = (what: string) =>
    function tellRule(failure: VerificationFailure) {
      return `  ${what} ${describeFailure(failure)}`
    }
  const open = checked.filter(({ passed }) => !passed)
  // A rule that is evaluated on several inputs names its input; its failures are at or below it.
  const broken = open.filter(({ rule, path = '' }) =>
    failures.some((failure) => failure.rule === rule && failure.path.startsWith(path)),
  )
  const counts = [
    `${checked.length - open.length} of ${checked.length} rules passed`,
    ...(broken.length > 0 ? [`${broken.length} broken`] : []),
    ...(broken.length < open.length ? [`${open.length - broken.length} not checked`] : []),
  ].join(', ')
  const heading =
    verdict === 'refused' ? '✗ Rejected' : open.length > 0 ? '! Stored anyway' : '✓ Checked'
  return [
    `${heading}: ${counts}.`,
    // The error that ends a rejected flow lists its failures.
    ...(verdict === 'refused' ? [] : failures.map(toLine('✗'))),
    ...unchecked.map(toLine('? not checked,')),
  ].join('\n')
}
