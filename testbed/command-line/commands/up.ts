import { type Command, InvalidArgumentError, Option } from 'commander'
import { splitHosts } from '#kit/origins.ts'
import type { UpOptions } from '../up.ts'

export const summary = 'start the whole testbed and keep it running'

/** A port base: 0 for free ports, or one from which all ports are allowed and exist. */
export function parsePortBase(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && (port === 0 || (port >= 1024 && port <= 65_000))) return port
  throw new InvalidArgumentError('Give 0 or a number from 1024 to 65000.')
}

function parseEnvironments(text: string): ('pre' | 'pro')[] {
  const names = [...new Set(text.split(','))]
  const known = names.filter((name) => name === 'pre' || name === 'pro')
  if (known.length === names.length) return known
  throw new InvalidArgumentError('Give pre, pro, or pre,pro.')
}

function parseMining(text: string): 'auto' | 'manual' | number {
  if (text === 'auto' || text === 'manual') return text
  const milliseconds = Number(text)
  if (/^\d+$/.test(text) && milliseconds >= 1 && milliseconds <= 3_600_000) return milliseconds
  throw new InvalidArgumentError('Give auto, manual, or a number of milliseconds.')
}

export function configure(command: Command): void {
  command
    .addOption(
      new Option('--port-base <n>', 'first port; 0 takes free ones')
        .argParser(parsePortBase)
        .default(4000),
    )
    .addOption(
      new Option('--env <names>', 'pre, pro, or pre,pro')
        .argParser(parseEnvironments)
        .default(['pre'], 'pre'),
    )
    .option('--data <folder>', 'where everything is kept', '.testbed')
    .option('--in-memory', 'keep nothing; testbed.json is written all the same')
    .option('--seed <text>', 'where chain keys, DIDs and wallets come from (default: random)')
    .option('--chain-rpc <url>', 'use this Ethereum chain instead of an own one')
    .option('--database-url <url>', 'use this PostgreSQL instead of SQLite files')
    .addOption(
      new Option('--mining <mode>', 'auto, manual, or every so many milliseconds')
        .argParser(parseMining)
        // Not set, so that the option is only refused with --chain-rpc where it was given.
        .default(undefined, 'auto'),
    )
    .option('--open-rpc', "let the chain's RPC take any transaction, not only to the registries")
    .option('--processes', 'run each service in a process of its own, as containers would')
    .option('--bind <address>', 'address to listen on', '127.0.0.1')
    .option('--public-url <url>', 'scheme and host by which phones and containers come')
    .addOption(
      new Option(
        '--allowed-hosts <names>',
        'further host names of this machine, by commas',
      ).argParser(splitHosts),
    )
    .option('--config <file>', 'YAML file of service settings (docs/configuration.md)')
    .option('--credential-types <file>', 'JSON file of the credential types to issue')
    .option('--connector-profiles <file>', 'JSON file of Connectors besides the own one')
    .action(async (options: UpOptions) => {
      const { up } = await import('../up.ts')
      await up(options)
    })
}
