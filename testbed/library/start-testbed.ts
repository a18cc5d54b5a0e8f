import type { HolderSuite } from '#core/crypto/suites.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'

/** How a testbed runs, like the options of `testbed up`. */
export interface StartTestbedOptions {
  /** Default: `['pre']`. */
  readonly environments?: readonly ('pre' | 'pro')[]
  /** First of the ports. Default: free ports. */
  readonly portBase?: number
  /** Address to listen on. Default: loopback. */
  readonly bind?: string
  /** Scheme and host under which phones and containers reach this machine. */
  readonly publicUrl?: string
  /** Further host names of the testbed. */
  readonly allowedHosts?: readonly string[]
  /** Folder that keeps everything and gets `testbed.json`. Default: all in memory. */
  readonly dataFolder?: string
  /** Seed of chain keys, DIDs and wallets. Default: random. */
  readonly seed?: string
  /** JSON-RPC address of a chain to use instead of the testbed's own. */
  readonly chainRpcUrl?: string
  /** `postgres://…` instead of SQLite. */
  readonly databaseUrl?: string
  /** Default: `auto`; a number is an interval in milliseconds. */
  readonly mining?: 'auto' | 'manual' | number
  /** Lets the chain's RPC accept every transaction, not only those to the registries. */
  readonly openRpc?: boolean
  /**
   * Signature suites of holders' keys that issuer and verifier accept. Default: those of the
   * profile.
   */
  readonly holderSuites?: readonly HolderSuite[]
  /** Level of the log on stderr. Default: `silent`. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug'
}

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
 * @throws TestbedError with the code of what could not be started, for example `port_taken`
 */
export async function startTestbed({
  logLevel = 'silent',
  holderSuites,
  ...options
}: StartTestbedOptions = {}): Promise<StartedTestbed> {
  const { prepareProcesses } = await import('../services/prepare-processes.ts')
  const endUnused = prepareProcesses(options)
  const { createLog } = await import('#kit/log.ts')
  const { startTestbed: start } = await import('../start-testbed.ts')
  const { file, close } = await start({
    ...options,
    issuance: { holderSuites },
    log: createLog({ level: logLevel }),
  }).finally(endUnused)
  return { file, close, [Symbol.asyncDispose]: close }
}
