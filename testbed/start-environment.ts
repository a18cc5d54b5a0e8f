import { join } from 'node:path'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { createChainClient } from '#kit/chain-client.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import type { MovableClock } from './clock.ts'
import type { EnvironmentContext } from './compose/environment-context.ts'
import {
  type EnvironmentServices,
  type LoadedService,
  loadServices,
  type ServicePart,
  serviceParts,
} from './compose/environment-services.ts'
import { contractAddressesOf } from './deploy/contract-addresses.ts'
import { createEnvironmentKeys } from './deploy/create-environment-keys.ts'
import { prepareChain } from './deploy/prepare-chain.ts'
import type { RunningEnvironment } from './environment.ts'
import { createFaultSwitchboard } from './faults.ts'
import { type Listener, listen } from './listen.ts'
import { stateFolderOf, type TestbedOptions } from './options.ts'
import { organizations } from './organizations.ts'
import { type EnvironmentPart, portOfEnvironmentPart } from './ports.ts'
import type { Resources } from './resources.ts'
import type { Secrets } from './secrets.ts'
import type { Gate } from './snapshots/create-gate.ts'
import { startChain } from './start-chain.ts'

/** What all environments of a testbed share. */
export interface Shared {
  readonly options: TestbedOptions
  readonly secrets: Secrets
  readonly clock: MovableClock
  readonly runtime: Runtime
  readonly resources: Resources
  /** Before every service. */
  readonly gate: Gate
  readonly publicUrl: (port: number) => string
  readonly consoleUrl: string
  /** Settles when the mail server takes mail. */
  readonly smtpUrl: Promise<string>
}

type Listeners = ReadonlyMap<ServicePart, Listener>

async function openListeners(environment: DidEnvironment, shared: Shared): Promise<Listeners> {
  const { portBase = 0, bind = '127.0.0.1' } = shared.options
  const opened = await Promise.all(
    serviceParts.map(async (part): Promise<[ServicePart, Listener]> => {
      const port = portOfEnvironmentPart(portBase, environment, part)
      const listener = await listen(bind, port, `the ${environment} ${part}`)
      shared.resources.add('listeners', listener.close)
      return [part, listener]
    }),
  )
  return new Map(opened)
}

/** Where each service keeps its state. */
function databaseUrlOf(options: TestbedOptions, environment: DidEnvironment) {
  const folder = stateFolderOf(options)
  return (service: string) => {
    if (options.databaseUrl !== undefined) return options.databaseUrl
    if (folder === undefined) return 'sqlite::memory:'
    return `sqlite:${join(folder, environment, `${service}.sqlite`)}`
  }
}

async function startServices(
  loaded: readonly LoadedService[],
  context: EnvironmentContext,
  listeners: Listeners,
  { resources, secrets, gate }: Shared,
): Promise<EnvironmentServices> {
  const starting = loaded.map(async ({ part, compose }): Promise<[ServicePart, Service]> => {
    const service = await compose(context)
    resources.add('services', () => service.close())
    listeners.get(part)?.serve(gate.guard(service.app))
    return [part, service]
  })
  // Each has asked for its secrets by now, and nobody has been told any of them.
  secrets.save()
  // All of them have to have ended, one way or the other, before anything is closed.
  await Promise.allSettled(starting)
  return Object.fromEntries(await Promise.all(starting)) as EnvironmentServices
}

/**
 * Starts one environment: its chain in a process of its own, the services on their ports, the
 * contracts and the trust chain where they are not there yet. All that can go on at once does.
 * @throws TestbedError what could not be started, and what to do
 */
export async function startEnvironment(
  environment: DidEnvironment,
  shared: Shared,
): Promise<RunningEnvironment> {
  const { options, secrets, clock, resources, publicUrl } = shared
  const runtime = { ...shared.runtime, faults: createFaultSwitchboard() }

  const starting = startChain(environment, options, clock, shared.runtime)
  const registered = starting.then(
    ({ process }) => process && resources.add('chains', process.close),
  )
  // Loading takes about as long as the chain needs to start, on another core.
  const loading = loadServices()
  let services: Promise<EnvironmentServices> | undefined
  try {
    const listeners = await openListeners(environment, shared)
    const keys = createEnvironmentKeys(secrets.seed, environment)
    const { rpcUrl, chainId, process } = await starting
    const urls = Object.fromEntries([
      ['chain', process === undefined ? rpcUrl : publicUrl(process.port)],
      ...[...listeners].map(([part, { port }]) => [part, publicUrl(port)]),
    ]) as Record<EnvironmentPart, string>
    const context: EnvironmentContext = {
      environment,
      runtime,
      keys,
      chain: { rpcUrl, chainId, ...contractAddressesOf(keys.operator.address) },
      urls,
      consoleUrl: shared.consoleUrl,
      smtpUrl: await shared.smtpUrl,
      issuance: options.issuance ?? {},
      organizations,
      secret: (name) => secrets.get(`${environment}/${name}`),
      databaseUrl: databaseUrlOf(options, environment),
    }
    services = loading.then((loaded) => startServices(loaded, context, listeners, shared))
    services.catch(() => {})
    const { mining = 'auto' } = options
    await prepareChain({ context, services, mining, setMining: process?.setMining })
    return {
      environment,
      context,
      issuer: (await services).issuer,
      connector: (await services).connector,
      chain: createChainClient(shared.runtime, { caller: 'control', rpcUrl }),
      async followClock(offset) {
        await process?.setClockOffset(offset)
      },
      ...(process && { chainProcess: process }),
    }
  } catch (error) {
    // What is still under way has to be there before it can be closed.
    await Promise.allSettled([registered, loading, services])
    throw error
  }
}
