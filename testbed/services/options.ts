import type { DidEnvironment } from '#core/did/did-org.ts'
import type { Log } from '#kit/log.ts'
import type { MiningMode } from '#testbed/chain/create-ledger.ts'
import type { IssuanceConfiguration } from './read-configuration.ts'
import type { ServiceSettings } from './service-settings.ts'

/** How a testbed runs; the options of `testbed up`. */
export interface TestbedOptions {
  readonly environments?: readonly DidEnvironment[]
  /** First of the ports; 0, the default here, chooses free ports. */
  readonly portBase?: number
  /** Address to listen on. Default: loopback. */
  readonly bind?: string
  /** Folder that keeps everything and gets `testbed.json`. Absent: no file, all in memory. */
  readonly dataFolder?: string
  /** Keeps chain, databases and secrets in memory although there is a folder for `testbed.json`. */
  readonly inMemory?: boolean
  /** Runs each service in a separate process. */
  readonly processes?: boolean
  readonly seed?: string
  /** JSON-RPC address of a chain to use instead of the testbed's own. */
  readonly chainRpcUrl?: string
  /** `postgres://…` instead of SQLite files. */
  readonly databaseUrl?: string
  readonly mining?: MiningMode
  /** Lets the chain's RPC accept every transaction, not only those to the registries. */
  readonly openRpc?: boolean
  /**
   * Scheme and host under which phones and containers reach this machine; each service keeps its
   * own port. Default: the bind address.
   */
  readonly publicUrl?: string
  /** Further host names of the testbed, for example that of a container. */
  readonly allowedHosts?: readonly string[]
  /** Credential types and Connector profiles, if they differ from the defaults. */
  readonly issuance?: IssuanceConfiguration
  /** Settings of services, of all environments. */
  readonly settings?: ServiceSettings
  readonly log?: Log
  /** Called after each step of the start, as often as {@link countStartSteps} says. */
  readonly onStep?: (step: string) => void
  /** Called while the chain of an environment replays its journal, with the part done: 0 to 1. */
  readonly onReplay?: (environment: DidEnvironment, done: number) => void
}

/** The number of steps of a start: ports, chain, registries of each environment, then health. */
export const countStartSteps = ({ environments = ['pre'] }: TestbedOptions): number =>
  environments.length * 3 + 1

/** EIP-155 chain ids of the testbed's own chains. */
export const chainIds: Readonly<Record<DidEnvironment, number>> = { pre: 20261, pro: 20262 }

/** The folder with the state, if it is kept. */
export function stateFolderOf({ dataFolder, inMemory }: TestbedOptions): string | undefined {
  return inMemory ? undefined : dataFolder
}
