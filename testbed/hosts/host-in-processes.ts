import { resolve } from 'node:path'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { toContextData } from '../compose/context-data.ts'
import {
  type OperatedServices,
  type ServicePart,
  serviceParts,
} from '../compose/environment-services.ts'
import { portOfEnvironmentPart } from '../ports.ts'
import type { RelayedHop } from '../process/create-hop-relay.ts'
import type {
  ServiceCommand,
  ServiceProcessStart,
  ServiceReady,
} from '../process/service-command.ts'
import { type Child, startChild } from '../process/start-child.ts'
import type { ProcessState } from '../snapshots/create-process-state.ts'
import type { Shared } from '../start-environment.ts'
import type { ServicesHost } from './services-host.ts'

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
    module: resolve(import.meta.dirname, '../process/main'),
    argument,
    failureCode: 'service_failed',
    name: `The process of ${label}`,
    hints: ['Start the testbed again. With LOG_LEVEL=debug it says more.'],
    onTold(told) {
      const { hops } = told as { readonly hops: readonly RelayedHop[] }
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
  const tell = async (command: ServiceCommand): Promise<void> => {
    await send(command)
  }
  return {
    hold: (limitMilliseconds) => tell({ command: 'hold', limitMilliseconds }),
    save: (name) => tell({ command: 'save', name }),
    restore: (name) => tell({ command: 'restore', name }),
    forget: (name) => tell({ command: 'forget', name }),
    release: () => tell({ command: 'release' }),
  }
}

/**
 * Runs each service of an environment in a process of its own, as containers would have it. All start
 * at once.
 * @throws TestbedError `port_taken`, or what else a process could not begin with
 */
export async function hostInProcesses(
  environment: DidEnvironment,
  shared: Shared,
): Promise<ServicesHost> {
  const starting = serviceParts.map(
    async (part) => [part, await startServiceProcess(environment, part, shared)] as const,
  )
  // All of them have to have begun, or not, before anything is closed.
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
