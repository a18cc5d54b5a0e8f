import type { TestbedError } from '#core/errors/testbed-error.ts'
import type { FaultName } from '#kit/runtime.ts'
import type { EnvironmentContext } from '../compose/environment-context.ts'
import type { OperatedServices, ServicePart } from '../compose/environment-services.ts'
import type { ProcessState } from '../snapshots/create-process-state.ts'

/** Where the services of an environment run: in this process, or each in one of its own. */
export interface ServicesHost {
  /** The port of each, which is open before there is a service behind it. */
  readonly ports: ReadonlyMap<ServicePart, number>
  /** Makes the services; settles when all of them answer. */
  compose(context: EnvironmentContext): Promise<OperatedServices>
  /** Settles when the fault is on, or off, for all of them. */
  setFault(name: FaultName, isActive: boolean): Promise<void>
  /** Settles when the time of all of them differs by so many milliseconds from the machine's. */
  followClock(offset: number): Promise<void>
  /** Settles when all hops of what was answered before are in the traces. */
  collectHops(): Promise<void>
  /** Of processes besides this one. */
  readonly states: readonly ProcessState[]
  /** Of each of them: what happened to it, or undefined where it was asked to end. */
  readonly ended: readonly Promise<TestbedError | undefined>[]
}
