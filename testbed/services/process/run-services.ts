import { createLog } from '#kit/log.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import type { ConnectorService } from '#services/connector/create-connector-service.ts'
import type { IssuerService } from '#services/issuer/create-issuer-service.ts'
import { installMovableClock } from '#testbed/process/clock.ts'
import { createFaultSwitchboard } from '#testbed/process/faults.ts'
import { type Listener, listen } from '#testbed/process/listen.ts'
import type { ServicePart } from '#testbed/process/ports.ts'
import {
  createGate,
  createKeeperRegistry,
  createProcessState,
  isInsideRequest,
} from '#testbed/process/process-state.ts'
import { type Served, sendToParent } from '#testbed/process/serve-parent.ts'
import { createHopRelay } from '#testbed/process/traces.ts'
import { loadService } from '../compose-services.ts'
import { fromContextData } from '../environment-context.ts'
import type { ServiceCommand, ServicesReady, ServicesStart } from '../host-services.ts'

/**
 * Runs services for the process that started this one (../host-services.ts). Each listens on its
 * own port; clock, faults, snapshots and recorded hops use the channel to the parent.
 * @param local what the runtime of the services has in this process only
 */
export async function runServices(
  { services: starts, host, logLevel, allowedHosts }: ServicesStart,
  local: Pick<Runtime, 'localChain'> = {},
): Promise<Served<ServiceCommand> & { readonly ready: ServicesReady }> {
  const clock = installMovableClock()
  const faults = createFaultSwitchboard()
  const traces = createHopRelay((hops) => sendToParent({ hops }))
  const keepers = createKeeperRegistry()
  const gate = createGate(isInsideRequest)
  const state = createProcessState(gate, keepers)
  const log = createLog({ level: logLevel })
  const listeners = new Map<ServicePart, Listener>()
  for (const { part, port, label } of starts) listeners.set(part, await listen(host, port, label))
  const services = new Map<ServicePart, Service>()
  // While the parent waits for the ports of all services.
  const loading = Promise.all(starts.map(({ part }) => loadService(part)))
  loading.catch(() => {})

  return {
    ready: { ports: Object.fromEntries([...listeners].map(([part, { port }]) => [part, port])) },
    async run(message) {
      switch (message.command) {
        case 'compose': {
          clock.moveTo(message.clockOffset)
          const { consoleUrl } = message.data
          const own = { clock, log, traces, faults, snapshots: keepers, ...local }
          const context = fromContextData(message.data, { ...own, allowedHosts, consoleUrl })
          const compositions = (await loading).map(async ({ part, compose }) => {
            const service = await compose(context)
            services.set(part, service)
            listeners.get(part)?.serve(gate.guard(service.app))
          })
          await Promise.all(compositions)
          return
        }
        case 'setClockOffset':
          return clock.moveTo(message.milliseconds)
        case 'setFault':
          return faults.set(message.name, message.isActive)
        case 'followHops':
          return traces.follow(message.isFollowed)
        case 'collectHops':
          return traces.flush()
        case 'hold':
          return state.hold(message.limitMilliseconds)
        case 'release':
          return state.release()
        case 'save':
        case 'restore':
        case 'forget':
          return state[message.command](message.name)
        case 'createOffer':
          return (services.get('issuer') as IssuerService).createOffer(message.request)
        case 'createPreparedOffer':
          return (services.get('connector') as ConnectorService).createPreparedOffer(message.order)
        case 'stopListening':
          await Promise.all([...listeners.values()].map((listener) => listener.close()))
          return
        case 'close':
          await Promise.all([...services.values()].map((service) => service.close()))
          return
      }
    },
  }
}
