import type { DidEnvironment } from '#core/did/did-org.ts'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import type { OperatedServices } from '#testbed/services/compose-services.ts'
import type { ChainProcess } from '../chain/start-chain-process.ts'
import { foreignChain } from '../errors.ts'
import type { ProcessState } from '../process/process-state.ts'
import type { EnvironmentContext } from './environment-context.ts'

/** One running environment, as the control interface and the console see it. */
export interface RunningEnvironment {
  readonly environment: DidEnvironment
  readonly context: EnvironmentContext
  readonly services: OperatedServices
  /** Absent with a chain of somebody else: its time and mining are not ours. */
  readonly chainProcess?: ChainProcess
  readonly chain: ChainClient
  /** Tells whoever has a clock of their own by how many milliseconds the time differs now. */
  followClock(offset: number): Promise<void>
  /** Settles when all hops of what was answered before are in the traces. */
  collectHops(): Promise<void>
  /** State of the processes that run its services, besides this one. */
  readonly states: readonly ProcessState[]
  /** Settles, with what happened, where a process of it ends that nobody asked to end. */
  readonly broken: Promise<TestbedError>
}

/** @throws TestbedError `foreign_chain` (409) where the chain is not the testbed's own */
export function requireOwnChain({ chainProcess }: RunningEnvironment): ChainProcess {
  if (chainProcess !== undefined) return chainProcess
  throw foreignChain()
}
