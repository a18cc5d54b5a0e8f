import { resolve } from 'node:path'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { createLog } from '#kit/log.ts'
import { startTestbed, type Testbed } from '#testbed/start-testbed.ts'
import type { MiningMode } from '../chain/create-ledger.ts'
import type { TestbedOptions } from '../options.ts'
import { readIssuanceConfiguration } from '../read-issuance-configuration.ts'
import { readServiceSettings } from '../read-service-settings.ts'
import { describeError } from './describe-error.ts'
import { exitCodes } from './exit-codes.ts'
import { formatAddresses } from './format-addresses.ts'
import { growHeapSlowly } from './grow-heap-slowly.ts'
import { waitForSignal } from './wait-for-signal.ts'

/** Options of `testbed up` as the command line gives them. */
export interface UpOptions {
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
  readonly json?: boolean
}

/** A stop that takes longer than this is ended by force. */
const stopLimit = 8000

async function toTestbedOptions(options: UpOptions): Promise<TestbedOptions> {
  const { seed, chainRpc, databaseUrl, publicUrl, allowedHosts, mining } = options
  return {
    environments: options.env,
    portBase: options.portBase,
    bind: options.bind,
    dataFolder: resolve(options.data),
    inMemory: options.inMemory ?? false,
    processes: options.processes ?? false,
    openRpc: options.openRpc ?? false,
    issuance: readIssuanceConfiguration(options),
    settings: await readServiceSettings({ file: options.config, environment: process.env }),
    log: createLog({ level: process.env.LOG_LEVEL ?? 'warn' }),
    ...(seed !== undefined && { seed }),
    ...(mining !== undefined && { mining }),
    ...(chainRpc !== undefined && { chainRpcUrl: chainRpc }),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(allowedHosts !== undefined && { allowedHosts }),
  }
}

function announce(testbed: Testbed, { json, data }: UpOptions, milliseconds: number): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(testbed.file, null, 2)}\n`)
    return
  }
  const seconds = (milliseconds / 1000).toFixed(1)
  process.stdout.write(`${formatAddresses(testbed.addresses)}\n`)
  process.stderr.write(
    [
      `Healthy after ${seconds} s. Addresses, keys and accounts: ${resolve(data, 'testbed.json')}`,
      `Console, for one browser: ${testbed.createConsoleLink()}`,
      'Ctrl-C stops everything.\n',
    ].join('\n'),
  )
}

/**
 * Starts the testbed, prints its addresses, and stays until a signal comes or a part of it breaks.
 * Sets the exit code: 130 after SIGINT, 0 after SIGTERM, 1 where a part broke.
 * @throws TestbedError what could not be started
 */
export async function up(options: UpOptions): Promise<void> {
  growHeapSlowly()
  const signalled = waitForSignal()
  const began = performance.now()
  const starting = toTestbedOptions(options).then(startTestbed)
  const forceEnd = (code: number) => setTimeout(() => process.exit(code), stopLimit).unref()
  signalled.then(forceEnd)

  const testbed = await starting
  announce(testbed, options, performance.now() - began)
  const end = await Promise.race([signalled, testbed.broken])
  if (typeof end !== 'number') {
    process.stderr.write(describeError(end))
    forceEnd(exitCodes.failed)
  }
  await testbed.close()
  process.exitCode = typeof end === 'number' ? end : exitCodes.failed
}
