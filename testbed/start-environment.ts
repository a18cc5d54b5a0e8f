import { join } from 'node:path'
import { type DidEnvironment, didPrefixes } from '#core/did/did-org.ts'
import { createChainClient } from '#kit/chain-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { MiningMode } from './chain/create-ledger.ts'
import type { MovableClock } from './clock.ts'
import { type EnvironmentContext, tirBaseUrlOf } from './compose/environment-context.ts'
import { loadServices, type ServicePart } from './compose/environment-services.ts'
import { contractAddressesOf } from './deploy/contract-addresses.ts'
import { createEnvironmentKeys } from './deploy/create-environment-keys.ts'
import { createRegistryOperator } from './deploy/create-registry-operator.ts'
import { areContractsDeployed, deployContracts } from './deploy/deploy-contracts.ts'
import { isTrustChainSeeded, seedTrustChain } from './deploy/seed-trust-chain.ts'
import type { RunningEnvironment } from './environment.ts'
import { createFaultSwitchboard } from './faults.ts'
import { type Listener, listen } from './listen.ts'
import { stateFolderOf, type TestbedOptions } from './options.ts'
import { organizations } from './organizations.ts'
import { type EnvironmentPart, portOfEnvironmentPart } from './ports.ts'
import type { Resources } from './resources.ts'
import type { Secrets } from './secrets.ts'
import { type StartedChain, startChain } from './start-chain.ts'

/** What all environments of a testbed share. */
export interface Shared {
  readonly options: TestbedOptions
  readonly secrets: Secrets
  readonly clock: MovableClock
  readonly runtime: Runtime
  readonly resources: Resources
  readonly publicUrl: (port: number) => string
  readonly consoleUrl: string
  /** Settles when the mail server takes mail. */
  readonly smtpUrl: Promise<string>
}

/** Credential types that the trust chain is accredited for. */
export const credentialTypes = ['OrgPortalLearCredential'] as const

const serviceParts = Object.keys(loadServices) as ServicePart[]

async function openListeners(environment: DidEnvironment, shared: Shared) {
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

/** Contracts and trust chain, where they are not on the chain yet. */
async function prepareChain(
  context: EnvironmentContext,
  { process, rpcUrl, chainId }: StartedChain,
  services: Promise<void>,
  mining: MiningMode,
): Promise<void> {
  const { keys, runtime, environment } = context
  const chain = createChainClient(runtime, { caller: 'operator', rpcUrl })
  const deployment = {
    chain,
    chainId,
    operator: keys.operator,
    didPrefix: didPrefixes[environment],
    onboardingNode: keys.onboardingNode.address,
  }
  // Whatever the mode, these transactions have to be mined as they come.
  const mineAtOnce = mining === 'auto' ? undefined : () => process?.setMining('auto')
  const deployed = await areContractsDeployed(deployment)
  if (!deployed) {
    await mineAtOnce?.()
    await deployContracts(deployment)
  }
  await services
  const registries = createRegistryOperator(runtime, {
    didRegistryBaseUrl: context.urls['did-registry'],
    tirBaseUrl: tirBaseUrlOf(context),
    tirApiKey: context.secret('api-key/tir'),
    chain,
  })
  if (deployed && (await isTrustChainSeeded({ registries, keys }))) return
  await mineAtOnce?.()
  const now = runtime.clock.seconds()
  await seedTrustChain({
    registries,
    keys,
    tirBaseUrl: tirBaseUrlOf(context),
    credentialTypes,
    now,
  })
  if (mineAtOnce !== undefined) await process?.setMining(mining)
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
  const loading = Promise.all(
    Object.entries(loadServices).map(async ([part, load]) => ({
      part: part as ServicePart,
      compose: await load(),
    })),
  )
  try {
    const listeners = await openListeners(environment, shared)
    const keys = createEnvironmentKeys(secrets.seed, environment)
    const chain = await starting
    const urls = Object.fromEntries([
      ['chain', chain.process === undefined ? chain.rpcUrl : publicUrl(chain.process.port)],
      ...[...listeners].map(([part, { port }]) => [part, publicUrl(port)]),
    ]) as Record<EnvironmentPart, string>
    const { rpcUrl, chainId } = chain
    const context: EnvironmentContext = {
      environment,
      runtime,
      keys,
      chain: { rpcUrl, chainId, ...contractAddressesOf(keys.operator.address) },
      urls,
      consoleUrl: shared.consoleUrl,
      smtpUrl: await shared.smtpUrl,
      organizations,
      secret: (name) => secrets.get(`${environment}/${name}`),
      databaseUrl: databaseUrlOf(options, environment),
    }
    const services = loading.then(async (loaded) => {
      const composing = loaded.map(async ({ part, compose }) => {
        const service = await compose(context)
        resources.add('services', () => service.close())
        listeners.get(part)?.serve(service.app)
      })
      // Each has asked for its secrets by now, and nobody has been told any of them.
      secrets.save()
      await Promise.all(composing)
    })
    services.catch(() => {})
    await prepareChain(context, chain, services, options.mining ?? 'auto')
    return {
      environment,
      context,
      chain: createChainClient(shared.runtime, { caller: 'control', rpcUrl }),
      ...(chain.process && { chainProcess: chain.process }),
    }
  } catch (error) {
    // What is still under way has to be there before it can be closed.
    await Promise.allSettled([registered, loading])
    throw error
  }
}
