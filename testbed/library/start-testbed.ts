import { z } from 'zod'
import { type HolderSuite, holderSuites } from '#core/crypto/suites.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { checkOptions } from './check-options.ts'

/** How a testbed runs, like the options of `testbed up`. */
export interface StartTestbedOptions {
  /** Default: `['pre']`. */
  readonly environments?: readonly ('pre' | 'pro')[] | undefined
  /** First of the ports, from 1024 to 65000, or 0 for free ports. Default: 0. */
  readonly portBase?: number | undefined
  /** Address to listen on. Default: loopback. */
  readonly bind?: string | undefined
  /** Scheme and host under which phones and containers reach this machine. */
  readonly publicUrl?: string | undefined
  /** Further host names of the testbed. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Folder that keeps everything and gets `testbed.json`. Default: all in memory. */
  readonly dataFolder?: string | undefined
  /** Seed of chain keys, DIDs and wallets. Default: random. */
  readonly seed?: string | undefined
  /** JSON-RPC address of a chain to use instead of the testbed's own. */
  readonly chainRpcUrl?: string | undefined
  /** `postgres://…` instead of SQLite. */
  readonly databaseUrl?: string | undefined
  /** Default: `auto`; a number is an interval in milliseconds. */
  readonly mining?: 'auto' | 'manual' | number | undefined
  /** Lets the chain's RPC accept every transaction, not only those to the registries. */
  readonly openRpc?: boolean | undefined
  /**
   * Signature suites of holders' keys that issuer and verifier accept. Default: those of the
   * profile.
   */
  readonly holderSuites?: readonly HolderSuite[] | undefined
  /** YAML file with settings of services, such as relying parties. */
  readonly configFile?: string | undefined
  /** Level of the log on stderr. Default: `silent`. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug' | undefined
}

const zOptions = z
  .strictObject({
    environments: z.array(z.enum(['pre', 'pro'])).min(1),
    portBase: z
      .int()
      .max(65_000)
      .refine((port) => port === 0 || port >= 1024, 'must be 0 or at least 1024'),
    bind: z.string().min(1),
    publicUrl: z.string(),
    allowedHosts: z.array(z.string()),
    dataFolder: z.string().min(1),
    seed: z.string(),
    chainRpcUrl: z.string(),
    databaseUrl: z.string(),
    mining: z.union(
      [z.enum(['auto', 'manual']), z.int().min(1).max(3_600_000)],
      'must be auto, manual or a number of milliseconds from 1 to 3600000',
    ),
    openRpc: z.boolean(),
    holderSuites: z.array(z.enum(holderSuites)).min(1),
    configFile: z.string().min(1),
    logLevel: z.enum(['silent', 'error', 'warn', 'info', 'debug']),
  } satisfies { [Name in keyof Required<StartTestbedOptions>]: z.ZodType })
  .partial()

/** A testbed that runs in this process. */
export interface StartedTestbed extends AsyncDisposable {
  /** The content of `testbed.json`: addresses, keys and accounts. */
  readonly file: TestbedFile
  /** Stops everything and frees the ports. Can be called twice. */
  close(): Promise<void>
}

/**
 * Starts a whole testbed in this process, by default on free ports and in memory. Resolves when
 * every service is healthy.
 * @throws TestbedError `invalid_option`, `invalid_configuration` if `configFile` is invalid, or the
 * code of what could not be started, for example `port_taken`
 */
export async function startTestbed(given: StartTestbedOptions = {}): Promise<StartedTestbed> {
  await checkOptions(zOptions, given, 'startTestbed')
  const { logLevel = 'silent', holderSuites: suites, configFile, ...options } = given
  const settings = configFile === undefined ? {} : await readSettings(configFile)
  const { prepareProcesses } = await import('#testbed/services/prepare-processes.ts')
  const endUnused = prepareProcesses(options)
  const { createLog } = await import('#kit/log.ts')
  const { startTestbed: start } = await import('#testbed/start-testbed.ts')
  const { nameOptions } = await import('./name-options.ts')
  const { file, close } = await start({
    ...options,
    settings,
    issuance: { holderSuites: suites },
    log: createLog({ level: logLevel }),
  })
    .catch((error) => {
      throw nameOptions(error)
    })
    .finally(endUnused)
  return { file, close, [Symbol.asyncDispose]: close }
}

async function readSettings(file: string) {
  const { readServiceSettings } = await import('#testbed/services/read-configuration.ts')
  return readServiceSettings({ file })
}
