import type { DidEnvironment } from '#core/did/did-org.ts'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import type { OperatedServices } from '#testbed/services/compose-services.ts'
import type { ChainProcess } from '../chain/start-chain-process.ts'
import { foreignChain } from '../errors.ts'
import type { ProcessState } from '../process/process-state.ts'
import type { EnvironmentContext } from './environment-context.ts'

/** One running environment, as used by the control interface and the console. */
export interface RunningEnvironment {
  readonly environment: DidEnvironment
  readonly context: EnvironmentContext
  readonly services: OperatedServices
  /** Absent with an external chain: the testbed does not control its time and mining. */
  readonly chainProcess?: ChainProcess
  readonly chain: ChainClient
  /** Notifies parts with their own clock of the current difference in milliseconds. */
  followClock(offset: number): Promise<void>
  /** Resolves when all hops of earlier answers are in the traces. */
  collectHops(): Promise<void>
  /** Whether other processes forward their hops without being asked. */
  followHops(isFollowed: boolean): Promise<void>
  /** State of the processes that run its services, without this one. */
  readonly states: readonly ProcessState[]
  /** Resolves with the cause if one of its processes ends unexpectedly. */
  readonly broken: Promise<TestbedError>
}

/** @throws TestbedError `foreign_chain` (409) if the chain is not the testbed's own */
export function requireOwnChain({ chainProcess }: RunningEnvironment): ChainProcess {
  if (chainProcess !== undefined) return chainProcess
  throw foreignChain()
}
