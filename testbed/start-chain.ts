import { join } from 'node:path'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { createChainClient } from '#kit/chain-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import { type ChainProcess, startChainProcess } from './chain/start-chain-process.ts'
import type { MovableClock } from './clock.ts'
import type { ContractAddresses } from './deploy/contract-addresses.ts'
import { portTaken } from './listen.ts'
import { chainIds, stateFolderOf, type TestbedOptions } from './options.ts'
import { portOfEnvironmentPart } from './ports.ts'

/** Where the chain of an environment is, and the process that runs it where it is ours. */
export interface StartedChain {
  readonly rpcUrl: string
  readonly chainId: number
  readonly process?: ChainProcess
}

async function startOwnChain(
  environment: DidEnvironment,
  contracts: ContractAddresses,
  options: TestbedOptions,
  clock: MovableClock,
  { log }: Runtime,
): Promise<StartedChain> {
  const { portBase = 0, bind = '127.0.0.1', mining = 'auto', publicUrl } = options
  const { allowedHosts = [] } = options
  const folder = stateFolderOf(options)
  const port = portOfEnvironmentPart(portBase, environment, 'chain')
  const chainId = chainIds[environment]
  const journalPath = folder && join(folder, environment, 'chain.journal')
  try {
    const process = await startChainProcess({
      chainId,
      host: bind,
      port,
      mining,
      clockOffset: clock.offset,
      journalPath,
      registries: [contracts.didRegistryAddress, contracts.tirAddress],
      openRpc: options.openRpc ?? false,
      allowedHosts: [
        ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
        ...allowedHosts,
      ],
    })
    const { cutBytes } = process
    if (cutBytes > 0) {
      log.warn({ journalPath, cutBytes }, 'cut off a torn last entry, of which nobody was told')
    }
    return { rpcUrl: process.rpcUrl, chainId, process }
  } catch (error) {
    throw isTestbedError(error) && error.code === 'port_taken'
      ? portTaken(port, `the ${environment} chain`)
      : error
  }
}

async function findForeignChain(rpcUrl: string, runtime: Runtime): Promise<StartedChain> {
  const chain = createChainClient(runtime, { caller: 'operator', rpcUrl })
  try {
    return { rpcUrl, chainId: Number(await chain.request<string>('eth_chainId')) }
  } catch (cause) {
    throw new TestbedError({
      code: 'chain_unavailable',
      status: 500,
      message: `The chain at ${rpcUrl} does not answer.`,
      hints: ['Check --chain-rpc: it is the address of an Ethereum JSON-RPC endpoint.'],
      cause,
    })
  }
}

/**
 * Starts the chain of an environment, or looks for the one that the options name.
 * @throws TestbedError what is wrong with the port, the journal or the foreign chain
 */
export function startChain(
  environment: DidEnvironment,
  contracts: ContractAddresses,
  options: TestbedOptions,
  clock: MovableClock,
  runtime: Runtime,
): Promise<StartedChain> {
  return options.chainRpcUrl === undefined
    ? startOwnChain(environment, contracts, options, clock, runtime)
    : findForeignChain(options.chainRpcUrl, runtime)
}
