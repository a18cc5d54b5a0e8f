import { type Command, InvalidArgumentError, Option } from 'commander'
import type { DidEnvironment } from '#core/did/did-org.ts'

/** Options of every command that talks to a registry. */
export interface RegistryOptions {
  readonly json?: boolean
  readonly verbose?: boolean
  readonly data: string
  readonly env?: DidEnvironment
  readonly didRegistry?: string
  readonly tir?: string
  readonly apiKey?: string
  readonly chainRpc?: string
}

/** Parses an option that is a web address; without a trailing slash. */
export const urlOf = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('It is no http or https address.')
  }
  return text.replace(/\/$/, '')
}

/** Parses an option that is a whole number of seconds, or of Unix seconds. */
export const secondsOf = (text: string): number => {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It is no whole number of seconds.')
  return Number(text)
}

export const environmentOption = () =>
  new Option('--env <environment>', 'environment of the DIDs').choices(['pre', 'pro'])

/**
 * Adds the options that say which registries are meant. Where an address is given, nothing is taken
 * from a running testbed: its keys and its chain belong to its own registries.
 */
export function addRegistryOptions(
  command: Command,
  needs: readonly ('didRegistry' | 'tir' | 'apiKey' | 'chainRpc')[],
): Command {
  const options = {
    didRegistry: new Option(
      '--did-registry <url>',
      'base address of the DID registry; without any address, those of the running testbed',
    ).argParser(urlOf),
    tir: new Option('--tir <url>', 'base address of the TIR').argParser(urlOf),
    apiKey: new Option('--api-key <key>', 'key for writing to the TIR (x-api-key)'),
    chainRpc: new Option('--chain-rpc <url>', 'chain node, for receipts').argParser(urlOf),
  }
  for (const need of needs) command.addOption(options[need])
  return command
    .addOption(environmentOption())
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
}
