/**
 * One service as a separate process, started by ../host-services.ts. It listens on its own port;
 * clock, faults, snapshots and its recorded hops use the channel to the parent, and it ends when
 * that channel closes.
 */
import { createLog } from '#kit/log.ts'
import type { Service } from '#kit/runtime.ts'
import type { ConnectorService } from '#services/connector/create-connector-service.ts'
import type { IssuerService } from '#services/issuer/create-issuer-service.ts'
import { loadService } from '#testbed/services/compose-services.ts'
import { installMovableClock } from '../../process/clock.ts'
import { createFaultSwitchboard } from '../../process/faults.ts'
import { listen } from '../../process/listen.ts'
import {
  createGate,
  createKeeperRegistry,
  createProcessState,
  isInsideRequest,
} from '../../process/process-state.ts'
import { sendToParent, serveParent } from '../../process/serve-parent.ts'
import { createHopRelay } from '../../process/traces.ts'
import { fromContextData } from '../environment-context.ts'
import type { ServiceCommand, ServiceProcessStart, ServiceReady } from '../host-services.ts'

await serveParent<ServiceCommand>('service_failed', async () => {
  const { part, host, port, label, logLevel, allowedHosts }: ServiceProcessStart = JSON.parse(
    process.argv[2] ?? '{}',
  )
  // Loading continues while the parent waits for the ports of all services.
  const loading = loadService(part)
  loading.catch(() => {})
  const clock = installMovableClock()
  const faults = createFaultSwitchboard()
  const traces = createHopRelay((hops) => sendToParent({ hops }))
  const keepers = createKeeperRegistry()
  const gate = createGate(isInsideRequest)
  const state = createProcessState(gate, keepers)
  const log = createLog({ level: logLevel })
  const listener = await listen(host, port, label)
  let service: Service | undefined

  const ready: ServiceReady = { port: listener.port }
  return {
    ready,
    async run(message) {
      switch (message.command) {
        case 'compose': {
          clock.moveTo(message.clockOffset)
          const { consoleUrl } = message.data
          const own = { clock, log, traces, faults, snapshots: keepers }
          const runtime = { ...own, allowedHosts, consoleUrl }
          const { compose } = await loading
          service = await compose(fromContextData(message.data, runtime))
          return listener.serve(gate.guard(service.app))
        }
        case 'setClockOffset':
          return clock.moveTo(message.milliseconds)
        case 'setFault':
          return faults.set(message.name, message.isActive)
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
          return (service as IssuerService).createOffer(message.request)
        case 'createPreparedOffer':
          return (service as ConnectorService).createPreparedOffer(message.order)
        case 'stopListening':
          return listener.close()
        case 'close':
          return service?.close()
      }
    },
  }
})
