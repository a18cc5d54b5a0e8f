import { resolve } from 'node:path'
import type { DidEnvironment } from '#core/did/did-org.ts'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import type { FaultName, Runtime } from '#kit/runtime.ts'
import type { PreparedOfferOrder } from '#services/connector/create-connector-service.ts'
import type { CustomOfferRequest } from '#services/issuer/operations/custom-offer.ts'
import type { ChainNodeConfig } from '#testbed/chain/create-chain-node.ts'
import {
  type ChainCommand,
  type ChainListening,
  type ChainProcess,
  type ChainReady,
  chainProcessOf,
  controlChain,
  type ReplayProgress,
  startChainProcess,
} from '#testbed/chain/start-chain-process.ts'
import type { Secrets } from '#testbed/data-folder/secrets.ts'
import type { MovableClock } from '#testbed/process/clock.ts'
import { type Listener, listen } from '#testbed/process/listen.ts'
import { portOfEnvironmentPart, type ServicePart, serviceParts } from '#testbed/process/ports.ts'
import type { Gate, ProcessState } from '#testbed/process/process-state.ts'
import type { Resources } from '#testbed/process/resources.ts'
import { startChild } from '#testbed/process/start-child.ts'
import type { RelayedHop } from '#testbed/process/traces.ts'
import { type EnvironmentServices, loadService, type OperatedServices } from './compose-services.ts'
import { type ContextData, type EnvironmentContext, toContextData } from './environment-context.ts'
import type { ResolvedOptions } from './options.ts'
import { chainAndRegistries, hasPartsBesideChain, partsBesideChain } from './prepare-processes.ts'

/** Where the services of an environment run: in this process, or in others. */
export interface ServicesHost {
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
  /** Whether other processes forward their hops without being asked. */
  followHops(isFollowed: boolean): Promise<void>
  /** State of the processes other than this one. */
  readonly states: readonly ProcessState[]
  /** The end of each process: the cause, or undefined if it was requested. */
  readonly ended: readonly Promise<TestbedError | undefined>[]
}

/** What all environments of a testbed share. */
export interface Shared {
  readonly options: ResolvedOptions
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

/** The start message of a process with services, which first opens their ports. */
export interface ServicesStart {
  readonly services: readonly {
    readonly part: ServicePart
    /** 0 chooses a free port. */
    readonly port: number
    /** Description of the port for error messages. */
    readonly label: string
  }[]
  readonly host: string
  readonly logLevel: string
  readonly allowedHosts: readonly string[]
}

export interface ServicesReady {
  readonly ports: Readonly<Partial<Record<ServicePart, number>>>
}

/** Messages from the testbed to a process with services over the IPC channel. */
export type ServiceCommand =
  | { readonly command: 'compose'; readonly data: ContextData; readonly clockOffset: number }
  | { readonly command: 'setClockOffset'; readonly milliseconds: number }
  | { readonly command: 'setFault'; readonly name: FaultName; readonly isActive: boolean }
  | { readonly command: 'collectHops' }
  | { readonly command: 'followHops'; readonly isFollowed: boolean }
  | { readonly command: 'hold'; readonly limitMilliseconds: number }
  | { readonly command: 'save' | 'restore' | 'forget'; readonly name: string }
  | { readonly command: 'release' }
  | { readonly command: 'createOffer'; readonly request: CustomOfferRequest }
  | { readonly command: 'createPreparedOffer'; readonly order: PreparedOfferOrder }
  | { readonly command: 'stopListening' }
  | { readonly command: 'close' }

/** Messages to a process with a chain and services. */
export type ChainAndServicesCommand =
  | ChainCommand
  | { readonly command: 'services'; readonly message: ServiceCommand }

export interface ChainAndServicesStart {
  readonly chain: ChainNodeConfig
  readonly services: ServicesStart
}

/** Its message once all of its ports are open, while it replays the journal. */
export interface ChainAndServicesListening extends ChainListening {
  readonly services: ServicesReady
}

/** A process that runs services of an environment. */
export interface ServicesProcess extends ServicesReady {
  send(message: ServiceCommand): Promise<unknown>
  /** Undefined if its end is watched elsewhere. */
  readonly ended?: Promise<TestbedError | undefined>
}

/** Where services run: in this process, with the chain, or each in a separate process. */
function layOut(options: ResolvedOptions) {
  const beside = hasPartsBesideChain(options) ? partsBesideChain : []
  const separate = options.processes ? serviceParts : []
  const elsewhere = [...beside, ...separate]
  return { here: serviceParts.filter((part) => !elsewhere.includes(part)), beside, separate }
}

type Starting = Pick<Shared, 'options' | 'runtime'>

function describeStart(
  environment: DidEnvironment,
  parts: readonly ServicePart[],
  { options, runtime }: Starting,
): ServicesStart {
  return {
    services: parts.map((part) => ({
      part,
      port: portOfEnvironmentPart(options.portBase, environment, part),
      label: `the ${environment} ${part}`,
    })),
    host: options.bind,
    logLevel: runtime.log.level,
    allowedHosts: runtime.allowedHosts,
  }
}

const recordHops = ({ traces }: Runtime, hops: readonly RelayedHop[]) => {
  for (const { hop, bytes, endedAt } of hops) traces.record(() => hop, bytes, endedAt)
}

/** A chain's process that is starting. */
export interface StartingChainProcess {
  /** Its open port, and the services that it runs too. They can be used once it answers. */
  readonly listening: Promise<ChainListening & { readonly services?: ServicesProcess }>
  /** Resolves when it answers. */
  readonly answering: Promise<ChainProcess>
}

/**
 * Starts the chain of an environment in a process, by default with the registries' services. Both
 * promises may be rejected with TestbedError `port_taken`, an error of the journal, or
 * `chain_failed`.
 */
export function startChainAndServices(
  environment: DidEnvironment,
  config: ChainNodeConfig,
  shared: Starting,
  onReplay: (progress: ReplayProgress) => void,
): StartingChainProcess {
  const { beside } = layOut(shared.options)
  const opening = Promise.withResolvers<Awaited<StartingChainProcess['listening']>>()
  const listening = opening.promise
  const start = async (): Promise<ChainProcess> => {
    if (beside.length === 0) {
      const onListening = (port: number) => opening.resolve({ port })
      return startChainProcess(config, { onListening, onReplay })
    }
    const services = describeStart(environment, beside, shared)
    const argument: ChainAndServicesStart = { chain: config, services }
    const starting = startChild<ChainAndServicesCommand, ChainReady>({
      ...chainProcessOf(config),
      module: chainAndRegistries,
      argument,
      onMessage(payload) {
        const message = payload as
          | ChainAndServicesListening
          | ReplayProgress
          | { readonly hops: readonly RelayedHop[] }
        if ('hops' in message) return recordHops(shared.runtime, message.hops)
        if ('done' in message) return onReplay(message)
        const send: ServicesProcess['send'] = async (command) =>
          (await starting).send({ command: 'services', message: command })
        opening.resolve({ port: message.port, services: { ...message.services, send } })
      },
    })
    const child = await starting
    return controlChain(config, (await listening).port, child)
  }
  const answering = start()
  answering.catch(opening.reject)
  return { listening, answering }
}

async function startServicesProcess(
  environment: DidEnvironment,
  part: ServicePart,
  shared: Shared,
): Promise<ServicesProcess> {
  const { ready, send, ended, close } = await startChild<ServiceCommand, ServicesReady>({
    module: resolve(import.meta.dirname, 'process/main'),
    argument: describeStart(environment, [part], shared),
    failureCode: 'service_failed',
    name: `The process of the ${environment} ${part}`,
    hints: ['Restart the testbed. LOG_LEVEL=debug prints more details.'],
    onMessage: (payload) =>
      recordHops(shared.runtime, (payload as { readonly hops: readonly RelayedHop[] }).hops),
  })
  shared.resources.add('services', close)
  return { ...ready, send, ended }
}

async function openListeners(
  environment: DidEnvironment,
  parts: readonly ServicePart[],
  { options, resources }: Shared,
) {
  const { portBase, bind } = options
  const opened = await Promise.all(
    parts.map(async (part): Promise<[ServicePart, Listener]> => {
      const port = portOfEnvironmentPart(portBase, environment, part)
      const listener = await listen(bind, port, `the ${environment} ${part}`)
      resources.add('listeners', listener.close)
      return [part, listener]
    }),
  )
  return new Map(opened)
}

const stateOf = ({ send }: ServicesProcess): ProcessState => {
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
 * Runs the services of an environment: by default in this process, except those that run with the
 * chain; with the option `processes`, each in a separate one, as containers do.
 * @param besideChain the process of the testbed's own chain, if it runs services too
 * @throws TestbedError `port_taken`, or another error of the start of a process
 */
export async function hostServices(
  environment: DidEnvironment,
  shared: Shared,
  besideChain: Promise<ServicesProcess | undefined>,
): Promise<ServicesHost> {
  const { gate, resources, options, clock } = shared
  const { here, separate } = layOut(options)
  // Loading takes about as long as the start of the chain, which uses another core.
  const loading = Promise.all(here.map(loadService))
  loading.catch(() => {})
  const starting = separate.map((part) => startServicesProcess(environment, part, shared))
  const opening = openListeners(environment, here, shared)
  await Promise.allSettled([opening, besideChain, ...starting])
  const listeners = await opening
  const processes = [await besideChain, ...(await Promise.all(starting))].filter(
    (each) => each !== undefined,
  )
  const everywhere = async (command: ServiceCommand): Promise<void> => {
    await Promise.all(processes.map(({ send }) => send(command)))
  }
  resources.add('listeners', async () => {
    // If one process has died, the others still finish their requests before their databases close.
    await Promise.allSettled(processes.map(({ send }) => send({ command: 'stopListening' })))
  })
  const ask = (part: ServicePart, command: ServiceCommand) =>
    processes.find(({ ports }) => part in ports)?.send(command) as Promise<never>

  const composeHere = async (context: EnvironmentContext) => {
    const services = (await loading).map(async ({ part, compose }) => {
      const service = await compose(context)
      resources.add('services', () => service.close())
      listeners.get(part)?.serve(gate.guard(service.app))
      return [part, service] as const
    })
    // All of them must have settled before anything is closed.
    await Promise.allSettled(services)
    return Object.fromEntries(await Promise.all(services)) as Partial<EnvironmentServices>
  }

  return {
    ports: new Map([
      ...[...listeners].map(([part, { port }]) => [part, port] as const),
      ...processes.flatMap(({ ports }) => Object.entries(ports) as [ServicePart, number][]),
    ]),
    async compose(context) {
      const data = toContextData(context)
      const composing = composeHere(context)
      const composed = everywhere({ command: 'compose', data, clockOffset: clock.offset })
      await Promise.allSettled([composing, composed])
      await composed
      return {
        issuer: { createOffer: (request) => ask('issuer', { command: 'createOffer', request }) },
        connector: {
          createPreparedOffer: (order) =>
            ask('connector', { command: 'createPreparedOffer', order }),
        },
        ...(await composing),
      }
    },
    // The services in this process use the environment's own clock, switchboard and traces.
    setFault: (name, isActive) => everywhere({ command: 'setFault', name, isActive }),
    followClock: (milliseconds) => everywhere({ command: 'setClockOffset', milliseconds }),
    collectHops: () => everywhere({ command: 'collectHops' }),
    followHops: (isFollowed) => everywhere({ command: 'followHops', isFollowed }),
    states: processes.map(stateOf),
    ended: processes.flatMap(({ ended }) => ended ?? []),
  }
}
