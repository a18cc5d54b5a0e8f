import { join } from 'node:path'
import type { DidEnvironment } from '#core/did/did-org.ts'
import type { Log } from '#kit/log.ts'
import type { MiningMode } from '#testbed/chain/create-ledger.ts'
import type { IssuanceConfiguration } from './read-configuration.ts'
import type { ServiceSettings } from './service-settings.ts'

/** How a testbed runs; the options of `testbed up`. {@link resolveOptions} has the defaults. */
export interface TestbedOptions {
  readonly environments?: readonly DidEnvironment[] | undefined
  /** First of the ports; 0 chooses free ports. */
  readonly portBase?: number | undefined
  /** Address to listen on. */
  readonly bind?: string | undefined
  /** Folder that keeps everything and gets `testbed.json`. Absent: no file, all in memory. */
  readonly dataFolder?: string | undefined
  /** Keeps chain, databases and secrets in memory although there is a folder for `testbed.json`. */
  readonly inMemory?: boolean | undefined
  /** Runs each service in a separate process. */
  readonly processes?: boolean | undefined
  readonly seed?: string | undefined
  /** JSON-RPC address of a chain to use instead of the testbed's own. */
  readonly chainRpcUrl?: string | undefined
  /** `postgres://…` instead of SQLite files. */
  readonly databaseUrl?: string | undefined
  readonly mining?: MiningMode | undefined
  /** Lets the chain's RPC accept every transaction, not only those to the registries. */
  readonly openRpc?: boolean | undefined
  /**
   * Scheme and host under which phones and containers reach this machine; each service keeps its
   * own port. Default: the bind address.
   */
  readonly publicUrl?: string | undefined
  /** Further host names of the testbed, for example that of a container. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Credential types and Connector profiles, if they differ from the defaults. */
  readonly issuance?: IssuanceConfiguration | undefined
  /** Settings of services, of all environments. */
  readonly settings?: ServiceSettings | undefined
  readonly log?: Log | undefined
  /** Called after each step of the start, as often as {@link countStartSteps} says. */
  readonly onStep?: ((step: string) => void) | undefined
  /** Called while the chain of an environment replays its journal, with the part done: 0 to 1. */
  readonly onReplay?: ((environment: DidEnvironment, done: number) => void) | undefined
}

/** Fills in the defaults. */
export function resolveOptions({
  environments = ['pre'],
  portBase = 0,
  bind = '127.0.0.1',
  mining = 'auto',
  openRpc = false,
  allowedHosts = [],
  issuance = {},
  settings = {},
  onStep = () => {},
  ...options
}: TestbedOptions) {
  return {
    ...options,
    environments,
    portBase,
    bind,
    mining,
    openRpc,
    allowedHosts,
    issuance,
    settings,
    onStep,
  }
}

/** Options with a value for each option that has a default. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/** The number of steps of a start: ports, chain, registries of each environment, then health. */
export const countStartSteps = (options: TestbedOptions): number =>
  resolveOptions(options).environments.length * 3 + 1

/** EIP-155 chain ids of the testbed's own chains. */
export const chainIds: Readonly<Record<DidEnvironment, number>> = { pre: 20261, pro: 20262 }

/** The folder with the state, if it is kept. */
export function stateFolderOf({ dataFolder, inMemory }: TestbedOptions): string | undefined {
  return inMemory ? undefined : dataFolder
}

/**
 * The database of a service, for `openDatabase`.
 * @param file path of its SQLite file in the data folder, without the ending
 */
export function databaseUrlOf(options: TestbedOptions, ...file: readonly string[]): string {
  if (options.databaseUrl !== undefined) return options.databaseUrl
  const folder = stateFolderOf(options)
  return folder === undefined ? 'sqlite::memory:' : `sqlite:${join(folder, ...file)}.sqlite`
}
