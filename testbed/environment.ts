import type { DidEnvironment } from '#core/did/did-org.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import type { ConnectorService } from '#services/connector/create-connector-service.ts'
import type { IssuerService } from '#services/issuer/create-issuer-service.ts'
import type { ChainProcess } from './chain/start-chain-process.ts'
import type { EnvironmentContext } from './compose/environment-context.ts'

/** One running environment, as the control interface and the console see it. */
export interface RunningEnvironment {
  readonly environment: DidEnvironment
  readonly context: EnvironmentContext
  readonly issuer: IssuerService
  readonly connector: ConnectorService
  /** Absent with a chain of somebody else: its time and mining are not ours. */
  readonly chainProcess?: ChainProcess
  readonly chain: ChainClient
  /** Tells whoever has a clock of their own by how many milliseconds the time differs now. */
  followClock(offset: number): Promise<void>
}
