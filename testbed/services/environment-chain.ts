import { join } from 'node:path'
import { type DidEnvironment, didPrefixes } from '#core/did/did-org.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createChainClient } from '#kit/chain-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { ChainProcess } from '#testbed/chain/start-chain-process.ts'
import { chainUnavailable, contractsOutdated } from '#testbed/errors.ts'
import { cannotListen, createLocalUrl } from '#testbed/process/listen.ts'
import { portOfEnvironmentPart } from '#testbed/process/ports.ts'
import {
  areContractsDeployed,
  type ContractAddresses,
  deployContracts,
  findOutdatedContract,
} from '#testbed/registries/deploy-contracts.ts'
import { isTrustChainSeeded, seedTrustChain } from '#testbed/registries/seed-trust-chain.ts'
import { credentialTypesOf, type EnvironmentContext, tirBaseUrlOf } from './environment-context.ts'
import { type ServicesProcess, type Shared, startChainAndServices } from './host-services.ts'
import { chainIds, type ResolvedOptions, stateFolderOf } from './options.ts'

export interface ChainAddress {
  readonly rpcUrl: string
  readonly chainId: number
  /** Absent for an external chain. */
  readonly port?: number
  /** The services that run in its process. */
  readonly services?: ServicesProcess
}

/** The chain of an environment while it starts. */
export interface StartingChain {
  readonly address: Promise<ChainAddress>
  /** Resolves when it answers: its process, if it is the testbed's own. */
  readonly process: Promise<ChainProcess | undefined>
}

function startOwnChain(
  environment: DidEnvironment,
  contracts: ContractAddresses,
  { options, clock, runtime }: Pick<Shared, 'options' | 'clock' | 'runtime'>,
): StartingChain {
  const { portBase, bind, mining, openRpc, publicUrl, allowedHosts } = options
  const folder = stateFolderOf(options)
  const port = portOfEnvironmentPart(portBase, environment, 'chain')
  const chainId = chainIds[environment]
  const journalPath = folder && join(folder, environment, 'chain.journal')
  const config = {
    chainId,
    host: bind,
    port,
    mining,
    clockOffset: clock.offset,
    journalPath,
    registries: [contracts.didRegistryAddress, contracts.tirAddress],
    openRpc,
    allowedHosts: [
      ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
      ...allowedHosts,
    ],
  }
  const { listening, answering } = startChainAndServices(
    environment,
    config,
    { options, runtime },
    ({ done, total }) => options.onReplay?.(environment, done / total),
  )
  const explain = (error: unknown): never => {
    throw isTestbedError(error) && error.code === 'port_taken' && error.extra.port === port
      ? cannotListen(port, `the ${environment} chain`)
      : error
  }
  const warnAboutCut = (process: ChainProcess) => {
    const { cutBytes } = process
    if (cutBytes > 0) {
      runtime.log.warn(
        { journalPath, cutBytes },
        'removed a torn last entry, which was never confirmed to a client',
      )
    }
    return process
  }
  const addressOf = ({ port: open, services }: Awaited<typeof listening>): ChainAddress => ({
    rpcUrl: createLocalUrl(bind)(open),
    chainId,
    port: open,
    ...(services && { services }),
  })
  return {
    address: listening.then(addressOf, explain),
    process: answering.then(warnAboutCut, explain),
  }
}

async function findForeignChain(rpcUrl: string, runtime: Runtime): Promise<ChainAddress> {
  const chain = createChainClient(runtime, { caller: 'operator', rpcUrl })
  try {
    return { rpcUrl, chainId: Number(await chain.request<string>('eth_chainId')) }
  } catch (cause) {
    throw chainUnavailable(rpcUrl, cause)
  }
}

/**
 * Starts the chain of an environment, or connects to the chain in the options. Both promises may be
 * rejected with a TestbedError: an error of the port, the journal or the external chain.
 */
export function startChain(
  environment: DidEnvironment,
  contracts: ContractAddresses,
  shared: Pick<Shared, 'options' | 'clock' | 'runtime'>,
): StartingChain {
  const { chainRpcUrl } = shared.options
  if (chainRpcUrl === undefined) return startOwnChain(environment, contracts, shared)
  const address = findForeignChain(chainRpcUrl, shared.runtime)
  return { address, process: address.then(() => undefined) }
}

/**
 * Ensures that the contracts and the trust chain are on the chain. While it writes, transactions
 * are mined when they arrive, regardless of the mode.
 * @param process undefined for an external chain, which controls its own mining
 * @throws TestbedError `contracts_outdated`, `deployment_failed`, `seeding_failed`
 */
export async function prepareChain(
  context: EnvironmentContext,
  options: ResolvedOptions,
  process: ChainProcess | undefined,
): Promise<void> {
  const { mining } = options
  const { keys, runtime, environment } = context
  const { rpcUrl, chainId } = context.chain
  const chain = createChainClient(runtime, { caller: 'operator', rpcUrl })
  const deployment = {
    chain,
    chainId,
    operator: keys.operator,
    didPrefix: didPrefixes[environment],
    onboardingNode: keys.onboardingNode.address,
    send: process?.sendRawTransactions,
  }
  const write = async (work: () => Promise<void>) => {
    if (mining !== 'auto') await process?.setMining('auto')
    await work()
    if (mining !== 'auto') await process?.setMining(mining)
  }
  const seeding = {
    ...deployment,
    keys,
    tirBaseUrl: tirBaseUrlOf(context),
    credentialTypes: credentialTypesOf(context),
    now: runtime.clock.seconds(),
  }
  const [outdated, areDeployed, isSeeded] = await Promise.all([
    findOutdatedContract(deployment),
    areContractsDeployed(deployment),
    isTrustChainSeeded(seeding),
  ])
  if (outdated !== undefined) {
    if (process === undefined) throw contractsOutdated(outdated, `the chain at ${rpcUrl}`)
    // A chain in memory is new.
    const folder = stateFolderOf(options) ?? ''
    const journal = join(folder, environment, 'chain.journal')
    throw contractsOutdated(outdated, `the chain of ${journal}`, folder)
  }
  if (!areDeployed) await write(() => deployContracts(deployment))
  if (!isSeeded) await write(() => seedTrustChain(seeding))
}
