import { resolve } from 'node:path'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { defaultHolderSuites, type HolderSuite, holderSuites } from '#core/crypto/suites.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { splitHosts } from '#kit/origins.ts'
import type { MiningMode } from '#testbed/chain/create-ledger.ts'
import type { Address } from '#testbed/services/addresses.ts'
import { countStartSteps, type TestbedOptions } from '#testbed/services/options.ts'
import { prepareProcesses } from '#testbed/services/prepare-processes.ts'
import type { Testbed } from '#testbed/start-testbed.ts'
import { describeError, exitCodes, waitForSignal } from '../exit-codes.ts'

export const summary = 'start the whole testbed and keep it running'

/** Options of `testbed up` as given on the command line. */
interface UpOptions {
  readonly portBase: number
  readonly env: readonly DidEnvironment[]
  readonly data: string
  readonly inMemory?: boolean
  readonly processes?: boolean
  readonly seed?: string
  readonly chainRpc?: string
  readonly databaseUrl?: string
  readonly mining?: MiningMode
  readonly openRpc?: boolean
  readonly bind: string
  readonly publicUrl?: string
  readonly allowedHosts?: readonly string[]
  readonly config?: string
  readonly credentialTypes?: string
  readonly connectorProfiles?: string
  readonly holderSuites?: readonly HolderSuite[]
  readonly open: boolean
  readonly json?: boolean
}

export const examples = [
  ['up', 'the environment pre on ports from 4000'],
  ['up --env pre,pro --processes', 'both environments, each service in a separate process'],
  ['up --port-base 0 --in-memory --json', 'on free ports and without stored state, for scripts'],
] as const

export function configure(command: Command): void {
  command
    .addOption(
      new Option('--port-base <n>', 'first port; 0 chooses free ports')
        .argParser(parsePortBase)
        .default(4000),
    )
    .addOption(
      new Option('--env <names>', 'pre, pro, or pre,pro')
        .argParser(parseEnvironments)
        .default(['pre'], 'pre'),
    )
    .option('--data <folder>', 'data folder, which keeps the state', '.testbed')
    .option('--in-memory', 'keep the state in memory; write only testbed.json')
    .option('--seed <text>', 'seed of chain keys, DIDs and wallets; default: random')
    .option('--chain-rpc <url>', "use this Ethereum chain instead of the testbed's own")
    .option('--database-url <url>', 'use this PostgreSQL database instead of SQLite files')
    .addOption(
      new Option('--mining <mode>', 'auto, manual, or an interval in milliseconds')
        .argParser(parseMining)
        // Has no default, so that only an explicit `--mining` conflicts with `--chain-rpc`.
        .default(undefined, 'auto'),
    )
    .option(
      '--open-rpc',
      "let the chain's RPC accept any transaction, not only those to the registries",
    )
    .option('--processes', 'run each service in a separate process, as in containers')
    .option('--no-open', 'do not open the console in the browser of this desktop')
    .option('--bind <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--public-url <url>',
      'scheme and host, without a port, at which phones and containers reach the testbed',
    )
    .addOption(
      new Option(
        '--allowed-hosts <names>',
        'additional host names of this machine, separated by commas',
      ).argParser(splitHosts),
    )
    .option('--config <file>', 'YAML file with service settings (docs/reference/configuration.md)')
    .option('--credential-types <file>', 'JSON file with the credential types to issue')
    .option(
      '--connector-profiles <file>',
      "JSON file with connectors to use in addition to the testbed's own",
    )
    .addOption(
      new Option(
        '--holder-suites <names>',
        "signature suites of holders' keys to accept, separated by commas",
      )
        .argParser(parseHolderSuites)
        .default(undefined, defaultHolderSuites.join(',')),
    )
    .action(up)
}

function parseEnvironments(text: string): ('pre' | 'pro')[] {
  const names = [...new Set(text.split(','))]
  const known = names.filter((name) => name === 'pre' || name === 'pro')
  if (known.length === names.length) return known
  throw new InvalidArgumentError('Use pre, pro, or pre,pro.')
}

function parseMining(text: string): 'auto' | 'manual' | number {
  if (text === 'auto' || text === 'manual') return text
  const milliseconds = Number(text)
  if (/^\d+$/.test(text) && milliseconds >= 1 && milliseconds <= 3_600_000) return milliseconds
  throw new InvalidArgumentError('Use auto, manual, or a number of milliseconds.')
}

/** A stop that takes longer than this is forced. */
const stopLimit = 8000

/**
 * Starts the testbed, prints its addresses, and runs until a signal arrives or a part fails. Sets
 * the exit code: 130 after SIGINT, 0 after SIGTERM, 1 if a part failed.
 * @throws TestbedError what could not be started
 */
async function up(options: UpOptions): Promise<void> {
  limitYoungGeneration()
  const began = performance.now()
  const forceEnd = (code: number) => setTimeout(() => process.exit(code), stopLimit).unref()
  let isStarting = true
  const signalled = waitForSignal()
  signalled.then((code) => {
    // No client has seen what a start would still write. Its lock is released as this process exits:
    // until then it could still write to the folder.
    if (isStarting) process.exit(code)
    forceEnd(code)
  })

  const testbed = await start(options)
  isStarting = false
  growHeapSlowly()
  await announce(testbed, options, performance.now() - began)
  const end = await Promise.race([signalled, testbed.broken])
  if (typeof end !== 'number') {
    process.stderr.write(describeError(end))
    forceEnd(exitCodes.failed)
  }
  await testbed.close()
  process.exitCode = typeof end === 'number' ? end : exitCodes.failed
}

/**
 * Starts the processes of the chains first: they load their modules while this one loads its own,
 * which other commands do not need.
 */
async function start(options: UpOptions): Promise<Testbed> {
  const { env: environments, processes, chainRpc: chainRpcUrl } = options
  const endUnused = prepareProcesses({ environments, processes, chainRpcUrl })
  return loadAndStart(options).finally(endUnused)
}

async function loadAndStart(options: UpOptions): Promise<Testbed> {
  const testbedOptions = await toTestbedOptions(options)
  const { startTestbed } = await import('#testbed/start-testbed.ts')
  const { createStatusLine, formatBar } = await import('../terminal.ts')
  const total = countStartSteps(testbedOptions)
  const line = createStatusLine(process.stderr)
  let done = 0
  const onStep = (step: string) => {
    done += 1
    line.show(`Starting ${done}/${total}: ${step}`)
  }
  const onReplay = (environment: string, replayed: number) =>
    line.show(`Starting ${done}/${total}: chain ${environment} ${formatBar(replayed)}`)
  // Also if a signal ends the process.
  process.once('exit', line.clear)
  try {
    return await startTestbed({ ...testbedOptions, onStep, onReplay })
  } finally {
    process.off('exit', line.clear)
    line.clear()
  }
}

async function toTestbedOptions(options: UpOptions): Promise<TestbedOptions> {
  const { seed, chainRpc, databaseUrl, publicUrl, allowedHosts, mining } = options
  const { createLog, readLogLevel } = await import('#kit/log.ts')
  const { readIssuanceConfiguration, readServiceSettings } = await import(
    '#testbed/services/read-configuration.ts'
  )
  return {
    environments: options.env,
    portBase: options.portBase,
    bind: options.bind,
    dataFolder: resolve(options.data),
    inMemory: options.inMemory ?? false,
    processes: options.processes ?? false,
    openRpc: options.openRpc ?? false,
    issuance: { ...readIssuanceConfiguration(options), holderSuites: options.holderSuites },
    settings: await readServiceSettings({ file: options.config, environment: process.env }),
    log: createLog({ level: readLogLevel(process.env, 'warn') }),
    ...(seed !== undefined && { seed }),
    ...(mining !== undefined && { mining }),
    ...(chainRpc !== undefined && { chainRpcUrl: chainRpc }),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(allowedHosts !== undefined && { allowedHosts }),
  }
}

async function announce(
  testbed: Testbed,
  { json, data, open }: UpOptions,
  milliseconds: number,
): Promise<void> {
  if (json) {
    process.stdout.write(`${JSON.stringify(testbed.file, null, 2)}\n`)
    return
  }
  const seconds = (milliseconds / 1000).toFixed(1)
  process.stdout.write(`${formatAddresses(testbed.addresses)}\n`)
  const isOpen = open && process.stdout.isTTY && (await openConsole(testbed.createConsoleLink('/')))
  process.stderr.write(
    [
      `Healthy after ${seconds} s. Addresses, keys and accounts: ${resolve(data, 'testbed.json')}`,
      ...(isOpen ? ['The console is open in the browser.'] : []),
      `${isOpen ? 'One-time link for another browser' : 'Console (one-time link)'}: ${testbed.createConsoleLink()}`,
      'Ctrl-C stops everything.\n',
    ].join('\n'),
  )
}

async function openConsole(link: string): Promise<boolean> {
  const { openBrowser } = await import('../open-console.ts')
  return openBrowser(link)
}

/** The table of addresses that `testbed up` prints, one address per line, grouped. */
function formatAddresses(addresses: readonly Address[]): string {
  const width = Math.max(...addresses.map(({ name }) => name.length))
  let group = ''
  const lines = addresses.flatMap((address) => {
    const line = `  ${address.name.padEnd(width)}  ${address.url}`
    if (address.group === group) return [line]
    group = address.group
    return [group, line]
  })
  return lines.join('\n')
}

/**
 * Lets the heap of this process grow by a quarter of what is in use before V8 collects garbage,
 * instead of up to four times it. V8 reads the flag at each collection, so it takes effect from
 * here on. The old space is collected 17 times in a run of all suites instead of 4; all pauses
 * together take 0.95 s instead of 1.1 s.
 */
function growHeapSlowly(): void {
  setFlagsFromString('--heap-growing-percent=25')
}

/**
 * Bytes of the objects that V8 has just created: it doubles the size until it exceeds this, to
 * about 16 MiB.
 */
const youngGeneration = 12 * 1024 * 1024

/**
 * Limits the young generation, which V8 would let grow to 128 MiB, almost all of it garbage. Its
 * own limit can only be set before this process starts, but V8 reads at each collection how many
 * times larger the next size is.
 */
function limitYoungGeneration(): void {
  const growBy = (factor: number) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  growBy(1)
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    growBy(young !== undefined && young.space_size < youngGeneration ? 2 : 1)
  }).observe({ entryTypes: ['gc'] })
}

/** A port base: 0 for free ports, or a port from which all ports exist and are allowed. */
export function parsePortBase(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && (port === 0 || (port >= 1024 && port <= 65_000))) return port
  throw new InvalidArgumentError('Use 0 or a number from 1024 to 65000.')
}

function parseHolderSuites(text: string): readonly HolderSuite[] {
  const names = text.split(',')
  const suites = holderSuites.filter((name) => names.includes(name))
  if (suites.length === names.length) return suites
  throw new InvalidArgumentError(
    `Use each of these suites at most once: ${holderSuites.join(', ')}.`,
  )
}
