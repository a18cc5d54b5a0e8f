import { type Command, Option } from 'commander'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { collect } from '../collect.ts'

/** What a command that talks to issuers or verifiers takes. */
export interface NetworkOptions {
  readonly data: string
  readonly allowPrivateAddresses?: boolean
  readonly didRegistry?: string
  readonly tir?: string
  readonly rootDid?: readonly string[]
  readonly environment?: DidEnvironment
}

/** Options of every wallet command. */
export interface WalletCommandOptions extends NetworkOptions {
  readonly json?: boolean
  readonly verbose?: boolean
  readonly wallet: string
}

/** Adds the options that say which wallet is meant, and where it is kept. */
export function addWalletOptions(command: Command): Command {
  return command
    .option('-w, --wallet <name>', 'name of the wallet', 'default')
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
}

/** Adds what a command that talks to issuers or verifiers takes. */
export function addNetworkOptions(command: Command): Command {
  return command
    .option(
      '--allow-private-addresses',
      'fetch from loopback and private networks (always so while a testbed runs on the data folder)',
    )
    .option(
      '--did-registry <url>',
      'base address of the DID registry of issuers and verifiers, where no testbed runs here',
    )
    .option('--tir <url>', 'base address of the TIR beside it, by which issuers are judged')
    .option('--root-did <did>', 'a root of trust of that TIR; may be repeated', collect)
    .addOption(
      new Option('--env, --environment <environment>', 'the environment of these two')
        .choices(['pre', 'pro'])
        .default('pre'),
    )
}
