import { join } from 'node:path'
import { didPrefixes } from '#core/did/did-org.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defaultCredentialType } from '#core/lear-credential/lear-credential.ts'
import { createChainClient } from '#kit/chain-client.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import type { MiningMode } from '../chain/create-ledger.ts'
import type { ChainProcess } from '../chain/start-chain-process.ts'
import {
  type EnvironmentContext,
  localTirBaseUrlOf,
  tirBaseUrlOf,
} from '../compose/environment-context.ts'
import { createRegistryOperator } from './create-registry-operator.ts'
import { areContractsDeployed, deployContracts, findOutdatedContract } from './deploy-contracts.ts'
import { isTrustChainSeeded, seedTrustChain } from './seed-trust-chain.ts'

export interface PrepareOptions {
  readonly context: EnvironmentContext
  /** Settles when the registries' APIs answer. */
  readonly services: Promise<unknown>
  readonly mining: MiningMode
  /** Where the testbed keeps its state; absent if it is in memory. */
  readonly dataFolder?: string | undefined
  /** Absent for a foreign chain, which mines as it likes. */
  readonly process?: Pick<ChainProcess, 'sendRawTransaction' | 'setMining'> | undefined
}

/**
 * Sees to it that the contracts and the trust chain are on the chain. While it writes, transactions
 * are mined as they come, whatever the mode.
 * @throws TestbedError `contracts_outdated`, `deployment_failed`, `seeding_failed`
 */
export async function prepareChain(options: PrepareOptions): Promise<void> {
  const { context, services, mining, process, dataFolder = '' } = options
  const { keys, runtime, environment } = context
  const { rpcUrl, chainId } = context.chain
  const chain = createChainClient(runtime, { caller: 'operator', rpcUrl })
  const deployment = {
    chain,
    chainId,
    operator: keys.operator,
    didPrefix: didPrefixes[environment],
    onboardingNode: keys.onboardingNode.address,
    send: process?.sendRawTransaction,
  }
  const write = async (work: () => Promise<void>) => {
    if (mining !== 'auto') await process?.setMining('auto')
    await work()
    if (mining !== 'auto') await process?.setMining(mining)
  }
  const outdated = await findOutdatedContract(deployment)
  if (outdated !== undefined) {
    const isOwnChain = process !== undefined
    throw contractsOutdated(outdated, isOwnChain ? { dataFolder, environment } : { rpcUrl })
  }
  const deployed = await areContractsDeployed(deployment)
  if (!deployed) await write(() => deployContracts(deployment))
  await services
  const registries = createRegistryOperator(runtime, {
    didRegistryBaseUrl: context.localUrls['did-registry'],
    tirBaseUrl: localTirBaseUrlOf(context),
    tirApiKey: context.secret('api-key/tir'),
    chain,
  })
  if (deployed && (await isTrustChainSeeded({ registries, keys }))) return
  const now = runtime.clock.seconds()
  const tirBaseUrl = tirBaseUrlOf(context)
  const { credentialTypes: types } = context.issuance
  const credentialTypes = types?.map(({ vcType }) => vcType) ?? [defaultCredentialType]
  await write(() => seedTrustChain({ registries, keys, tirBaseUrl, credentialTypes, now }))
}

type Chain =
  | { readonly dataFolder: string; readonly environment: string }
  | { readonly rpcUrl: string }

function contractsOutdated(address: string, chain: Chain): TestbedError {
  const isForeign = 'rpcUrl' in chain
  const where = isForeign
    ? `the chain at ${chain.rpcUrl}`
    : `the chain of ${join(chain.dataFolder, chain.environment, 'chain.journal')}`
  return new TestbedError({
    code: 'contracts_outdated',
    status: 500,
    message: `On ${where}, another version of the testbed deployed the registry ${address}. This version cannot use it.`,
    hints: isForeign
      ? [
          'Start with another --data DIR or --seed, which deploys new registries, or on a new chain.',
        ]
      : [
          `Delete the state in this folder: ${programCommand} reset --data ${chain.dataFolder}`,
          'Or start on a new data folder (--data DIR); the version that created this one can still use it.',
        ],
  })
}
