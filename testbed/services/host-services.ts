import { resolve } from 'node:path'
import type { DidEnvironment } from '#core/did/did-org.ts'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import type { FaultName, Runtime, Service } from '#kit/runtime.ts'
import type { PreparedOfferOrder } from '#services/connector/create-connector-service.ts'
import type { CustomOfferRequest } from '#services/issuer/operations/custom-offer.ts'
import {
  type EnvironmentServices,
  loadServices,
  type OperatedServices,
} from '#testbed/services/compose-services.ts'
import type { Secrets } from '../data-folder/secrets.ts'
import type { MovableClock } from '../process/clock.ts'
import { type Listener, listen } from '../process/listen.ts'
import { portOfEnvironmentPart, type ServicePart, serviceParts } from '../process/ports.ts'
import type { Gate, ProcessState } from '../process/process-state.ts'
import type { Resources } from '../process/resources.ts'
import { type Child, startChild } from '../process/start-child.ts'
import type { RelayedHop } from '../process/traces.ts'
import { type ContextData, type EnvironmentContext, toContextData } from './environment-context.ts'
import type { TestbedOptions } from './options.ts'

/** Where the services of an environment run: in this process, or each in a separate one. */
interface ServicesHost {
  /** The port of each service, open before the service starts. */
  readonly ports: ReadonlyMap<ServicePart, number>
  /** Creates the services; resolves when all of them answer. */
  compose(context: EnvironmentContext): Promise<OperatedServices>
  /** Resolves when the fault is on, or off, for all of them. */
  setFault(name: FaultName, isActive: boolean): Promise<void>
  /**
   * Resolves when the clock of each service differs by this many milliseconds from the machine's.
   */
  followClock(offset: number): Promise<void>
  /** Resolves when all hops of earlier answers are in the traces. */
  collectHops(): Promise<void>
  /** State of the processes other than this one. */
  readonly states: readonly ProcessState[]
  /** The end of each process: the cause, or undefined if it was requested. */
  readonly ended: readonly Promise<TestbedError | undefined>[]
}

/** What all environments of a testbed share. */
export interface Shared {
  readonly options: TestbedOptions
  readonly secrets: Secrets
  readonly clock: MovableClock
  readonly runtime: Runtime
  readonly resources: Resources
  /** Middleware before every service. */
  readonly gate: Gate
  readonly publicUrl: (port: number) => string
  readonly consoleUrl: string
  /** Undefined if the documentation is not installed. */
  readonly documentationUrl: string | undefined
  /** Resolves when the mail server accepts mail. */
  readonly smtpUrl: Promise<string>
}

async function openListeners(environment: DidEnvironment, { options, resources }: Shared) {
  const { portBase = 0, bind = '127.0.0.1' } = options
  const opened = await Promise.all(
    serviceParts.map(async (part): Promise<[ServicePart, Listener]> => {
      const port = portOfEnvironmentPart(portBase, environment, part)
      const listener = await listen(bind, port, `the ${environment} ${part}`)
      resources.add('listeners', listener.close)
      return [part, listener]
    }),
  )
  return new Map(opened)
}

/** Runs all services of an environment in this process, the default of a testbed. */
export async function hostInProcess(
  environment: DidEnvironment,
  shared: Shared,
): Promise<ServicesHost> {
  const { gate, resources } = shared
  // Loading takes about as long as the start of the chain, which uses another core.
  const loading = loadServices()
  loading.catch(() => {})
  const listeners = await openListeners(environment, shared)
  return {
    ports: new Map([...listeners].map(([part, { port }]) => [part, port])),
    async compose(context) {
      const starting = (await loading).map(
        async ({ part, compose }): Promise<[ServicePart, Service]> => {
          const service = await compose(context)
          resources.add('services', () => service.close())
          listeners.get(part)?.serve(gate.guard(service.app))
          return [part, service]
        },
      )
      // All of them must have settled before anything is closed.
      await Promise.allSettled(starting)
      return Object.fromEntries(await Promise.all(starting)) as EnvironmentServices
    },
    // They use the environment's own clock, switchboard and traces.
    async setFault() {},
    async followClock() {},
    async collectHops() {},
    states: [],
    ended: [],
  }
}

/** The start message of the process of a service, which first opens its port. */
export interface ServiceProcessStart {
  readonly part: ServicePart
  readonly host: string
  /** 0 chooses a free port. */
  readonly port: number
  /** Description of the port for error messages. */
  readonly label: string
  readonly logLevel: string
  readonly allowedHosts: readonly string[]
}

export interface ServiceReady {
  readonly port: number
}

/** Messages from the testbed to the process of a service over the IPC channel. */
export type ServiceCommand =
  | { readonly command: 'compose'; readonly data: ContextData; readonly clockOffset: number }
  | { readonly command: 'setClockOffset'; readonly milliseconds: number }
  | { readonly command: 'setFault'; readonly name: FaultName; readonly isActive: boolean }
  | { readonly command: 'collectHops' }
  | { readonly command: 'hold'; readonly limitMilliseconds: number }
  | { readonly command: 'save' | 'restore' | 'forget'; readonly name: string }
  | { readonly command: 'release' }
  | { readonly command: 'createOffer'; readonly request: CustomOfferRequest }
  | { readonly command: 'createPreparedOffer'; readonly order: PreparedOfferOrder }
  | { readonly command: 'stopListening' }
  | { readonly command: 'close' }

type ServiceProcess = Child<ServiceCommand, ServiceReady>

async function startServiceProcess(
  environment: DidEnvironment,
  part: ServicePart,
  { options, resources, runtime }: Shared,
): Promise<ServiceProcess> {
  const { portBase = 0, bind = '127.0.0.1' } = options
  const label = `the ${environment} ${part}`
  const argument: ServiceProcessStart = {
    part,
    host: bind,
    port: portOfEnvironmentPart(portBase, environment, part),
    label,
    logLevel: runtime.log.level,
    allowedHosts: runtime.allowedHosts,
  }
  const child = await startChild<ServiceCommand, ServiceReady>({
    module: resolve(import.meta.dirname, 'process/main'),
    argument,
    failureCode: 'service_failed',
    name: `The process of ${label}`,
    hints: ['Restart the testbed. LOG_LEVEL=debug prints more details.'],
    onMessage(payload) {
      const { hops } = payload as { readonly hops: readonly RelayedHop[] }
      for (const { hop, bodyBytes } of hops) runtime.traces.record(() => hop, bodyBytes)
    },
  })
  resources.add('listeners', async () => {
    await child.send({ command: 'stopListening' }).catch(() => {})
  })
  resources.add('services', child.close)
  return child
}

const stateOf = ({ send }: ServiceProcess): ProcessState => {
  const sendCommand = async (command: ServiceCommand): Promise<void> => {
    await send(command)
  }
  return {
    hold: (limitMilliseconds) => sendCommand({ command: 'hold', limitMilliseconds }),
    save: (name) => sendCommand({ command: 'save', name }),
    restore: (name) => sendCommand({ command: 'restore', name }),
    forget: (name) => sendCommand({ command: 'forget', name }),
    release: () => sendCommand({ command: 'release' }),
  }
}

/**
 * Runs each service of an environment in a separate process, as containers do. All start in
 * parallel.
 * @throws TestbedError `port_taken`, or another error of the start of a process
 */
export async function hostInProcesses(
  environment: DidEnvironment,
  shared: Shared,
): Promise<ServicesHost> {
  const starting = serviceParts.map(
    async (part) => [part, await startServiceProcess(environment, part, shared)] as const,
  )
  // All of them must have settled before anything is closed.
  await Promise.allSettled(starting)
  const processes = new Map(await Promise.all(starting))
  const children = [...processes.values()]
  const everywhere = async (command: ServiceCommand): Promise<void> => {
    await Promise.all(children.map((child) => child.send(command)))
  }
  const ask = (part: ServicePart, command: ServiceCommand) =>
    (processes.get(part) as ServiceProcess).send(command) as Promise<never>

  const services: OperatedServices = {
    issuer: { createOffer: (request) => ask('issuer', { command: 'createOffer', request }) },
    connector: {
      createPreparedOffer: (order) => ask('connector', { command: 'createPreparedOffer', order }),
    },
  }
  return {
    ports: new Map([...processes].map(([part, { ready }]) => [part, ready.port])),
    async compose(context) {
      const { offset: clockOffset } = shared.clock
      await everywhere({ command: 'compose', data: toContextData(context), clockOffset })
      return services
    },
    setFault: (name, isActive) => everywhere({ command: 'setFault', name, isActive }),
    followClock: (milliseconds) => everywhere({ command: 'setClockOffset', milliseconds }),
    collectHops: () => everywhere({ command: 'collectHops' }),
    states: children.map(stateOf),
    ended: children.map(({ ended }) => ended),
  }
}
