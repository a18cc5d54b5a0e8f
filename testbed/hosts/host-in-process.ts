import type { DidEnvironment } from '#core/did/did-org.ts'
import type { Service } from '#kit/runtime.ts'
import {
  type EnvironmentServices,
  loadServices,
  type ServicePart,
  serviceParts,
} from '../compose/environment-services.ts'
import { type Listener, listen } from '../listen.ts'
import { portOfEnvironmentPart } from '../ports.ts'
import type { Shared } from '../start-environment.ts'
import type { ServicesHost } from './services-host.ts'

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

/** Runs all services of an environment in this process, as a testbed does by default. */
export async function hostInProcess(
  environment: DidEnvironment,
  shared: Shared,
): Promise<ServicesHost> {
  const { gate, resources } = shared
  // Loading takes about as long as the chain needs to start, on another core.
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
      // All of them have to have ended, one way or the other, before anything is closed.
      await Promise.allSettled(starting)
      return Object.fromEntries(await Promise.all(starting)) as EnvironmentServices
    },
    // They ask the environment's own clock, switchboard and traces.
    async setFault() {},
    async followClock() {},
    async collectHops() {},
    states: [],
    ended: [],
  }
}
