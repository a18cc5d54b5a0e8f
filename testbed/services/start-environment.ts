import { join } from 'node:path'
import type { DidEnvironment } from '#core/did/did-org.ts'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import { type ChainClient, createChainClient } from '#kit/chain-client.ts'
import type { ChainProcess } from '#testbed/chain/start-chain-process.ts'
import { createFolder } from '#testbed/data-folder/lock-data-folder.ts'
import { foreignChain } from '#testbed/errors.ts'
import { createFaultSwitchboard } from '#testbed/process/faults.ts'
import { createLocalUrl } from '#testbed/process/listen.ts'
import type { EnvironmentPart } from '#testbed/process/ports.ts'
import { tracesOf } from '#testbed/process/traces.ts'
import { contractAddressesOf } from '#testbed/registries/deploy-contracts.ts'
import { createEnvironmentKeys, operatorOf } from '#testbed/registries/environment-keys.ts'
import { organizations } from '#testbed/registries/organizations.ts'
import type { OperatedServices } from './compose-services.ts'
import { prepareChain, startChain } from './environment-chain.ts'
import { type EnvironmentContext, readEnvironmentSecrets } from './environment-context.ts'
import { hostServices, type ServicesHost, type Shared } from './host-services.ts'
import { databaseUrlOf, stateFolderOf } from './options.ts'

/** One running environment, as used by the control interface and the console. */
export interface RunningEnvironment
  extends Pick<ServicesHost, 'followClock' | 'collectHops' | 'followHops' | 'states'> {
  readonly environment: DidEnvironment
  readonly context: EnvironmentContext
  readonly services: OperatedServices
  /** Absent with an external chain: the testbed does not control its time and mining. */
  readonly chainProcess?: ChainProcess
  readonly chain: ChainClient
  /** Resolves with the cause if one of its processes ends unexpectedly. */
  readonly broken: Promise<TestbedError>
}

/** @throws TestbedError `foreign_chain` (409) if the chain is not the testbed's own */
export function requireOwnChain({ chainProcess }: RunningEnvironment): ChainProcess {
  if (chainProcess !== undefined) return chainProcess
  throw foreignChain()
}

/** Resolves with the cause if a process ends unexpectedly. */
function watch(ended: readonly (Promise<TestbedError | undefined> | undefined)[]) {
  return new Promise<TestbedError>((resolve) => {
    for (const each of ended) each?.then((happened) => happened && resolve(happened))
  })
}

/**
 * Starts one environment: its chain in a separate process, the services on their ports, and the
 * contracts and the trust chain if they do not exist yet. Independent steps run in parallel.
 * @throws TestbedError what could not be started, and what to do
 */
export async function startEnvironment(
  environment: DidEnvironment,
  testbed: Shared,
): Promise<RunningEnvironment> {
  const { options, secrets, resources, publicUrl } = testbed
  const traces = tracesOf(testbed.runtime.traces, environment)
  const shared = { ...testbed, runtime: { ...testbed.runtime, traces } }
  const { onStep } = options
  const folder = stateFolderOf(options)
  if (folder !== undefined) createFolder(join(folder, environment))
  const contracts = contractAddressesOf(operatorOf(secrets.seed, environment).address)
  const chain = startChain(environment, contracts, shared)
  const registered = chain.process.then((process) => {
    onStep('chain')
    return process && resources.add('chains', process.close)
  })
  // The chain may fail while the services are still starting.
  registered.catch(() => {})
  const hosting = hostServices(
    environment,
    shared,
    chain.address.then(({ services }) => services),
  )
  let services: Promise<OperatedServices> | undefined
  try {
    const host = await hosting
    onStep('ports')
    const runtime = { ...shared.runtime, faults: createFaultSwitchboard(host.setFault) }
    const keys = createEnvironmentKeys(secrets.seed, environment)
    const { rpcUrl, chainId, port } = await chain.address
    const urlsBy = (urlOf: (port: number) => string, chainUrl: string) =>
      Object.fromEntries([
        ['chain', chainUrl],
        ...[...host.ports].map(([part, port]) => [part, urlOf(port)]),
      ]) as Record<EnvironmentPart, string>
    const context: EnvironmentContext = {
      environment,
      runtime,
      keys,
      chain: { rpcUrl, chainId, ...contracts },
      urls: urlsBy(publicUrl, port === undefined ? rpcUrl : publicUrl(port)),
      localUrls: urlsBy(createLocalUrl(options.bind), rpcUrl),
      consoleUrl: shared.consoleUrl,
      documentationUrl: shared.documentationUrl,
      smtpUrl: await shared.smtpUrl,
      issuance: options.issuance,
      settings: options.settings,
      organizations,
      secret: (name) => secrets.get(`${environment}/${name}`),
      databaseUrl: (service) => databaseUrlOf(options, environment, service),
    }
    // On disk before any client sees one of them.
    readEnvironmentSecrets(context)
    secrets.save()
    services = host.compose(context)
    services.catch(() => {})
    const process = await chain.process
    await prepareChain(context, options, process)
    onStep('registries')
    return {
      environment,
      context,
      services: await services,
      chain: createChainClient(shared.runtime, { caller: 'control', rpcUrl }),
      async followClock(offset) {
        await Promise.all([process?.setClockOffset(offset), host.followClock(offset)])
      },
      collectHops: host.collectHops,
      followHops: host.followHops,
      states: host.states,
      broken: watch([process?.ended, ...host.ended]),
      ...(process && { chainProcess: process }),
    }
  } catch (error) {
    // Everything that is starting must have started before it can be closed.
    await Promise.allSettled([registered, hosting, services])
    throw error
  }
}
