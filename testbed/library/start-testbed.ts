import type { HolderSuite } from '#core/crypto/suites.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'

/** How a testbed is to run, as the options of `testbed up`. */
export interface StartTestbedOptions {
  /** By default `['pre']`. */
  readonly environments?: readonly ('pre' | 'pro')[]
  /** First of the ports; by default free ones are taken. */
  readonly portBase?: number
  /** Address to listen on. Default: loopback. */
  readonly bind?: string
  /** Scheme and host under which phones and containers reach this machine. */
  readonly publicUrl?: string
  /** Further host names by which clients reach the testbed. */
  readonly allowedHosts?: readonly string[]
  /** Folder that keeps everything and gets `testbed.json`. By default all is in memory. */
  readonly dataFolder?: string
  /** Where chain keys, DIDs and wallets come from. Default: random. */
  readonly seed?: string
  /** JSON-RPC address of a chain to use in place of an own one. */
  readonly chainRpcUrl?: string
  /** `postgres://…` in place of SQLite. */
  readonly databaseUrl?: string
  /** By default `auto`; a number is milliseconds. */
  readonly mining?: 'auto' | 'manual' | number
  /** Lets the chain's RPC accept every transaction, not only those to the registries. */
  readonly openRpc?: boolean
  /** Suites of holders' keys that issuer and verifier accept. By default those of the profile. */
  readonly holderSuites?: readonly HolderSuite[]
  /** Level of the log on stderr. Default: `silent`. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug'
}

/** A testbed that runs in this process. */
export interface StartedTestbed extends AsyncDisposable {
  /** What `testbed.json` holds: addresses, keys and accounts. */
  readonly file: TestbedFile
  /** Stops everything and frees the ports. May be called twice. */
  close(): Promise<void>
}

/**
 * Starts a whole testbed in this process, on free ports and in memory unless told otherwise.
 * Settles when every service is healthy.
 * @throws TestbedError with the code of what could not be started, for example `port_taken`
 */
export async function startTestbed({
  logLevel = 'silent',
  holderSuites,
  ...options
}: StartTestbedOptions = {}): Promise<StartedTestbed> {
  const { createLog } = await import('#kit/log.ts')
  const { startTestbed: start } = await import('../start-testbed.ts')
  const { file, close } = await start({
    ...options,
    issuance: { holderSuites },
    log: createLog({ level: logLevel }),
  })
  return { file, close, [Symbol.asyncDispose]: close }
}
