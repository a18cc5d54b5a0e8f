import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { LinkKind } from '#core/link/find-link.ts'
import { describeFileError } from '#kit/files.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import type { NetworkOptions } from '#testbed/wallet-server/connect-wallet.ts'
import type { DeferralOptions } from '#wallet-emulator/actions/request-credential.ts'
import { readLink as readLinkOf } from '#wallet-emulator/link/read-link.ts'
import { collect } from '../options.ts'

/** Options of every wallet command. */
export interface WalletCommandOptions extends NetworkOptions {
  readonly json?: boolean
  readonly verbose?: boolean
  readonly wallet: string
}

/** Adds the options that select the wallet and its folder. */
export function addWalletOptions(command: Command): Command {
  return command
    .option('-w, --wallet <name>', 'name of the wallet', 'default')
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
}

/** Adds the options of commands that communicate with issuers or verifiers. */
export function addNetworkOptions(command: Command): Command {
  return command
    .option(
      '--allow-private-addresses',
      'fetch from loopback and private networks (default while a testbed uses the data folder)',
    )
    .option(
      '--did-registry <url>',
      'base address of the DID registry of issuers and verifiers, if no testbed runs here',
    )
    .option('--tir <url>', 'base address of the TIR that lists the issuers')
    .option('--root-did <did>', 'a root of trust of that TIR; repeatable', collect)
    .addOption(
      new Option('--env, --environment <environment>', 'the environment of these two registries')
        .choices(['pre', 'pro'])
        .default('pre'),
    )
}

/** Options of a command that may wait for a deferred credential. */
export interface WaitOption {
  /** Seconds. */
  readonly wait?: number
}

/** Adds `--wait`. */
export function addWaitOption(command: Command): Command {
  const description = 'how long to wait for a deferred credential; default: 15 minutes'
  return command.option('--wait <seconds>', description, readSeconds)
}

/** How long the wallet waits, if given. */
export const deferralOf = ({ wait }: WaitOption): { readonly deferral?: DeferralOptions } =>
  wait === undefined ? {} : { deferral: { longestWaitMilliseconds: wait * 1000 } }

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 86_400) return seconds
  throw new InvalidArgumentError('Use a number of seconds up to 86400.')
}

/** Options of a command whose wallet may deviate. */
export interface FaultOption {
  readonly fault?: readonly string[]
}

/** Adds `--fault`, which may be given several times: the deviations add up. */
export function addFaultOption(command: Command): Command {
  return command.option(
    '--fault <name>',
    'fault that the wallet makes on purpose; repeatable; wallet faults lists them',
    collect,
  )
}

const kinds = { offer: 'credential offer', request: 'presentation request' } as const

/**
 * The link that a command was given: as text, or as a QR code in a PNG or JPEG file (`-` for
 * stdin).
 * @throws TestbedError `invalid_option` if neither or both are given, the image is not readable, or
 * the link is of the other kind
 */
export async function readLink(
  wanted: LinkKind,
  { link, qr }: { readonly link: string | undefined; readonly qr: string | undefined },
): Promise<string> {
  if ((link === undefined) === (qr === undefined)) {
    throw wrongUsage('Specify either a link or --qr with a PNG or JPEG file.')
  }
  const read = readLinkOf(link ?? (await readImage(qr ?? '')))
  if (!read.ok)
    throw wrongUsage(`Could not read a link from ${qr ?? 'the argument'}: ${read.reason}.`)
  if (read.kind === wanted) return read.link
  const command = read.kind === 'offer' ? 'accept' : 'present'
  throw wrongUsage(`This is a ${kinds[read.kind]}: ${programCommand} wallet ${command} accepts it.`)
}

async function readImage(qr: string): Promise<Uint8Array> {
  return (qr === '-' ? buffer(process.stdin) : readFile(qr)).catch((cause) => {
    throw wrongUsage(`Cannot read ${qr} (--qr): ${describeFileError(cause) ?? cause.code}.`)
  })
}
